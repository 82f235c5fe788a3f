import Foundation
import Glibc
import HTTPTransport
import TestSupport
import Testing

/// Certificates, and servers that use them.
struct TLSServers {
    /// Where the keys and certificates are.
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a key and a certificate, by default for 127.0.0.1.
    func makeCertificate(_ name: String, subject: String = "IP:127.0.0.1") throws {
        let options =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=test "
            + "-addext subjectAltName=\(subject)"
        let process = try start(
            ["openssl"] + options.split(separator: " ").map(String.init) + [
                "-keyout", folder.path("\(name).key"), "-out", folder.path("\(name).pem"),
            ]
        )
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Makes a certificate valid between two times such as `20200101000000Z`, which only `openssl ca` lets one choose.
    func makeCertificate(_ name: String, from start: String, to end: String) throws {
        try folder.write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path("index"))
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """.utf8,
            to: "ca.conf"
        )
        try folder.write([], to: "index")
        let (key, wish) = (folder.path("\(name).key"), folder.path("\(name).csr"))
        for options in [
            "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout \(key) -out \(wish)",
            "ca -batch -notext -selfsign -config \(folder.path("ca.conf")) -in \(wish) -keyfile \(key) "
                + "-startdate \(start) -enddate \(end) -out \(folder.path("\(name).pem"))",
        ] {
            let process = try self.start(["openssl"] + options.split(separator: " ").map(String.init))
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    /// Starts a program.
    func start(_ arguments: [String], output: FileHandle = .nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        return process
    }

    /// Ends a server with SIGKILL, since it may have inherited a mask that blocks other signals.
    func stop(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs `body` with the address of `openssl s_server`, which answers each request with a page.
    func withServer(
        _ certificate: String,
        _ options: [String] = [],
        _ body: (HTTPURL) async throws -> Void
    ) async throws {
        let program =
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-key", folder.path("\(certificate).key"),
                "-cert", folder.path("\(certificate).pem"),
            ] + options
        try await withProgram(program) { port in try await body(HTTPURL("https://127.0.0.1:\(port)/")) }
    }

    /// Runs `body` with the port on which `program` listens, which it says in a line: `ACCEPT 127.0.0.1:PORT`.
    func withProgram(_ program: [String], _ body: (UInt16) async throws -> Void) async throws {
        let output = folder.path("\(UUID().uuidString).out")
        try Data().write(to: URL(filePath: output))
        let process = try start(program, output: FileHandle(forWritingTo: URL(filePath: output)))
        defer {
            stop(process)
        }
        var port: Substring?
        while port == nil, process.isRunning {
            let text = try String(contentsOfFile: output, encoding: .utf8)
            port = text.firstMatch(of: #/ACCEPT 127\.0\.0\.1:(\d+)\n/#)?.1
            try await Task.sleep(for: .milliseconds(1))
        }
        try await body(#require(port.flatMap { UInt16($0) }))
    }
}
