internal import FHIRR4
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TransactionBundling

/// What a server refused and why, in one file for each Bundle, named by its key.
///
///     {"key":"…","entries":[{"id":"Observation/h…","status":422,
///      "issue":[{"severity":"error","code":"invalid","expression":["…"]}]}]}
///
/// It holds no diagnostics and no narrative, in which servers quote what they refuse. The ids are those of the samples
/// that were sent.
final class Quarantine: Sendable {
    let folder: String
    private let written = Mutex(Written())

    /// What this run has written: the names of its files, and of the entries in them.
    private struct Written {
        var files: Set<String> = []
        var names: Set<String> = []
    }

    /// The quarantine of one ledger; the folder is made with the first file.
    init(folder: String) { self.folder = folder }

    /// One refused entry.
    struct Entry {
        var member: BundleMember?
        var status: Int
        var issues: [OutcomeIssue]
    }

    /// Writes the file of a Bundle, readable by its owner alone, in place of an earlier one.
    func write(_ entries: [Entry], key: String) throws(DeliveryError) {
        let value: JSONValue = [
            "key": .string(key),
            "entries": .list(entries.map(\.value)),
        ]
        var json = JSONBytes()
        value.write(to: &json)
        json.append(UInt8(ascii: "\n"))
        _ = unsafe mkdir(folder, 0o700)
        var status = stat()
        let isThere = unsafe lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        guard !isThere || geteuid() == 0 || status.st_uid == geteuid() else {
            throw .ledgerUnwritable(path: folder, reason: "it belongs to another user")
        }
        let path = "\(folder)/\(key).json"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == ENOTDIR { throw .ledgerUnwritable(path: folder, reason: "a file lies in the folder's place") }
            throw .ledgerUnwritable(path, errno)
        }
        defer { close(descriptor) }
        let count = unsafe json.withBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == json.count else {
            // Where only a part was written, there is no room for the rest.
            let code = count < 0 ? errno : ENOSPC
            _ = unsafe unlink(path)
            throw .ledgerUnwritable(path, code)
        }
        written.withLock { written in
            written.files.insert("\(key).json")
            for entry in entries { if let name = entry.name { written.names.insert(name) } }
        }
    }

    /// The ids in the files of earlier runs that are in none of this run's.
    func openIDs() -> [ResourceID] {
        let written = written.withLock { $0 }
        let names = oldPaths(written).compactMap { Self.names(in: $0) }.reduce(into: Set()) { $0.formUnion($1) }
        return names.subtracting(written.names).compactMap { Self.id($0) }
    }

    /// Removes the files of earlier runs whose entries were all taken since, or refused again in files of this run.
    ///
    /// Reads each file; one that can't be read or removed stays.
    ///
    /// - Parameter areSettled: whether none of these has to be sent any more: the server has taken them, they were
    ///   deleted there, or they are no longer in the export.
    /// - Throws: what `areSettled` throws.
    func tidy(areSettled: ([ResourceID]) throws(DeliveryError) -> Bool) throws(DeliveryError) {
        let written = written.withLock { $0 }
        let old = oldPaths(written)
        guard !old.isEmpty else { return }
        for path in old {
            // A file that names no entries is left for a person to look at.
            guard let names = Self.names(in: path), !names.isEmpty else { continue }
            let open = names.subtracting(written.names)
            let ids = open.compactMap { Self.id($0) }
            if ids.count == open.count, try areSettled(ids) { _ = unsafe unlink(path) }
        }
        // This fails as long as a file is left in the folder.
        _ = unsafe rmdir(folder)
    }

    private func oldPaths(_ written: Written) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.hasSuffix(".json") && !written.files.contains($0) }.map { "\(folder)/\($0)" }
    }

    /// The id of a name such as `Observation/h…`.
    private static func id(_ name: String) -> ResourceID? {
        name.split(separator: "/").last.flatMap { ResourceID(text: String($0)) }
    }

    /// The names of the entries in a quarantine file; `nil` for any other file.
    private static func names(in path: String) -> Set<String>? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        guard let value = JSONValue(beginning: [UInt8](bytes)), let entries = value["entries"]?.elements else {
            return nil
        }
        return Set(entries.compactMap { $0["id"]?.string })
    }
}

extension Quarantine.Entry {
    fileprivate var name: String? { member.map { "\($0.type.name)/\($0.id.text)" } }

    fileprivate var value: JSONValue {
        [
            "id": name.map { .string($0) } ?? .absent,
            "status": .number("\(status)"),
            "issue": .list(
                issues.map { issue in
                    [
                        "severity": issue.severity.isEmpty ? nil : .string(issue.severity),
                        "code": issue.code.isEmpty ? nil : .string(issue.code),
                        "expression": .list(issue.expression.map { .string($0) }),
                    ]
                }
            ),
        ]
    }
}
