import Foundation
import GRDB
import Synchronization
import Testing

@testable import IntegrationServer

/// What the server says about a store that can't be used, and how expired rows are found in it.
struct StoreTests {
    /// What the person who runs the server is told.
    private final class Report: Sendable {
        private let said = Mutex<[String]>([])
        var lines: [String] { said.withLock { $0 } }

        @Sendable func say(_ line: String) { said.withLock { $0.append(line) } }
    }

    /// With a log of their own next to the database others could read all of it.
    @Test(arguments: [(0o700, true), (0o755, true), (0o777, false), (0o1777, false)])
    func `a folder that others may write to is refused`(_ mode: Int, _ isTaken: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pghd-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let fault = IntegrationServerError.store(path: folder.path, what: "others may write there")
        var found: IntegrationServerError?
        do throws(IntegrationServerError) { _ = try ServerStore(folder: folder.path) } catch { found = error }
        #expect(found == (isTaken ? nil : fault))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/server.db") == isTaken)
    }

    @Test func `a full disk is reported to the client and, once, to the person who runs the server`() async throws {
        let report = Report()
        try await RunningServer.run({ $0.report = report.say }) { server in
            let http = try await server.signedIn()
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
            let database = server.server.router.fhir.store.database
            try await database.write { database in
                let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(count)")
            }
            let large = observation("\"id\":\"b\",\"valueString\":\"\(String(repeating: "SECRET", count: 20_000))\"")
            for _ in 0..<2 {
                let answer = try await http.put("/fhir/Observation/b", large)
                #expect(answer.status == 507)
                #expect(answer.body == outcome("no-store", "there is no room for it on the disk: nothing was stored"))
            }
            #expect(
                report.lines
                    == ["memory: there is no room on the disk (expected some for what comes): make room"]
            )
            #expect(try await http.get("/fhir/Observation/b").status == 404)
            #expect(try await http.get("/fhir/Observation/a").status == 200)
        }
    }

    @Test func `a batch that runs out of room says so at that entry, and keeps what it has stored`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let database = server.server.router.fhir.store.database
            try await database.write { database in
                let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(count + 20)")
            }
            let large = observation("\"id\":\"b\",\"valueString\":\"\(String(repeating: "x", count: 200_000))\"")
            let answer = try await http.post(
                "/fhir",
                bundle(
                    "batch",
                    entry("PUT", "Observation/a", observation("\"id\":\"a\"")),
                    "{\"request\":{\"method\":\"GET\",\"url\":\"Observation/a\"}}",
                    entry("PUT", "Observation/b", large)
                )
            )
            #expect(try statuses(answer) == ["201 Created", "200 OK", "507 Insufficient Storage"])
            #expect(try await http.get("/fhir/Observation/a").status == 200)
        }
    }

    @Test func `a sign-in that finds no room is answered by redirect`() async throws {
        try await RunningServer.run { server in
            try await server.server.router.fhir.store.database.write { database in
                try database.execute(sql: "DROP TABLE credential")
            }
            let answer = try await server.http.get("/auth/authorize?\(RunningServer.authorizationQuery())")
            #expect(answer.status == 303)
            #expect(answer.header("Location").hasPrefix("\(RunningServer.redirectURI)?error=server_error&"))
        }
    }

    @Test(arguments: [
        ("no database", "this is not an SQLite database (expected the one of a former run)"),
        ("damage", "the database is damaged (expected it as a former run left it)"),
    ])
    func `an unusable database is reported with the reason`(_ what: String, _ sentence: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "server.db")
        try await RunningServer.run({ $0.folder = folder.path }) { _ in }
        var bytes = try Data(contentsOf: file)
        if what == "damage" {
            // The tree in the first page, after the file's header.
            bytes.replaceSubrange(100..<1_000, with: Data(repeating: 0xA5, count: 900))
        } else {
            bytes = Data(repeating: 0x20, count: 8_192)
        }
        try bytes.write(to: file)
        let expected = IntegrationServerError.database(
            path: file.path,
            what: "\(sentence): restore it, or choose another folder"
        )
        await #expect(throws: expected) {
            try await RunningServer.run({ $0.folder = folder.path }) { _ in }
        }
    }

    @Test func `a database of a later version is refused, and stays as it is`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "server.db")
        try await RunningServer.run({ $0.folder = folder.path }) { _ in }
        // The third migration has not been made yet either, which an older version would make first.
        let later = try DatabaseQueue(path: file.path)
        try await later.write { database in
            try database.execute(
                sql: """
                    DROP INDEX authorization_created;
                    DELETE FROM grdb_migrations WHERE identifier = '3';
                    INSERT INTO grdb_migrations VALUES ('later');
                    """
            )
        }
        let expected = IntegrationServerError.database(
            path: file.path,
            what: "written by a later pghd (expected this one or an earlier one): use that one, or choose another "
                + "folder"
        )
        await #expect(throws: expected) {
            try await RunningServer.run({ $0.folder = folder.path }) { _ in }
        }
        let applied = try await later.read { database in
            try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
        }
        #expect(applied == ["1", "2", "4", "later"])
    }

    @Test(arguments: [
        "DELETE FROM credential WHERE expires < 1", "DELETE FROM assertion WHERE expires < 1",
        "DELETE FROM authorization WHERE created < 1 AND NOT EXISTS "
            + "(SELECT 1 FROM credential WHERE credential.authorization = authorization.number)",
    ])
    func `expired rows are found without a full scan`(_ statement: String) async throws {
        let plan = try await ServerStore(folder: nil).database.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
        }
        #expect(!plan.isEmpty)
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN ") })
    }

    @Test func `a resource with as many values as are read leaves nothing to be found by`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            // Together with its other seven values it has a million; stored, it has an `id` and a `meta` too.
            let values = Array(repeating: "0", count: JSONReader.maximumValueCount - 7).joined(separator: ",")
            let large = #"{"resourceType":"Device","identifier":[{"system":"urn:s","value":"old"}],"x":[\#(values)]}"#
            let created = try await http.post("/fhir/Device", large)
            #expect(created.status == 201)
            let id = created.header("Location").split(separator: "/").dropLast(2).last ?? ""
            let small = #"{"resourceType":"Device","id":"ID","identifier":[{"system":"urn:s","value":"new"}]}"#
                .replacing("ID", with: id)
            #expect(try await http.put("/fhir/Device/\(id)", small).status == 200)
            func count(_ value: String) async throws -> Int? {
                let answer = try await http.get("/fhir/Device?identifier=urn:s%7C\(value)&_summary=count")
                return try JSONReader.read(Array(answer.body.utf8))["total"]?.integer
            }
            #expect(try await [count("old"), count("new")] == [0, 1])
        }
    }
}
