internal import FHIRR4
internal import Glibc
internal import TransactionBundling

/// What a server refused and why, a file for each Bundle, named by its key.
///
///     {"key":"…","entries":[{"id":"Observation/h…","status":422,"issue":[{"severity":"error","code":"invalid","expression":["…"]}]}]}
///
/// Holds no diagnostics and no narrative: servers quote what they refuse in them. The ids name the
/// samples in the export that was sent.
struct Quarantine: Sendable {
    let folder: String

    /// One refused entry.
    struct Entry {
        var member: BundleMember?
        var status: Int
        var issues: [OutcomeIssue]
    }

    /// Writes a file for its owner alone, in place of one of the same Bundle.
    func write(_ entries: [Entry], key: String) throws(DeliveryError) {
        let value: JSONValue = [
            "key": .string(key),
            "entries": .list(entries.map(\.value)),
        ]
        var json = JSONBytes()
        value.write(to: &json)
        json.append(UInt8(ascii: "\n"))
        _ = unsafe mkdir(folder, 0o700)
        let path = "\(folder)/\(key).json"
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .ledgerUnwritable(path: path, reason: reason(errno)) }
        defer { close(number) }
        let count = unsafe json.withBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        guard count == json.count else {
            // A part of it was written: there is no room for the rest.
            let code = count < 0 ? errno : ENOSPC
            _ = unsafe unlink(path)
            throw .ledgerUnwritable(path: path, reason: reason(code))
        }
    }
}

extension Quarantine.Entry {
    fileprivate var value: JSONValue {
        [
            "id": member.map { .string("\($0.type.name)/\($0.id.text)") } ?? .absent,
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
