import Glibc

/// How many files the process may have open, connections among them.
enum OpenFiles {
    /// What a run needs in addition to its connections: the export, the ledger, and what its libraries open.
    private static let needed = 20

    /// How many connections there may be at once, at most those wanted.
    static func connections(wanted: Int) -> Int { min(wanted, max(left - needed, 1)) }

    /// Refuses to start with too few: later a library would end the process without a message.
    ///
    /// - Throws: `ExitStatus.usage`, after saying so.
    static func check() throws {
        guard left < needed + 4 else { return }
        say(
            "pghd: ulimit -n: \(limit) files may be open, \(limit - left) are (expected \(needed + 4) more): raise it, "
                + "such as ulimit -n 1024"
        )
        throw ExitStatus.usage
    }

    private static var limit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Files that a parent left open count too; the first few hundred show whether there is little room.
    private static var left: Int {
        let limit = limit
        return limit - (0..<Int32(min(limit, 256))).count { fcntl($0, F_GETFD) >= 0 }
    }
}
