import ArgumentParser
import CGlibc
import CredentialStore
import Delivery
import ExportPipeline
import Glibc
import HTTPTransport
import IntegrationServer
import OpenIDConnect
import OpenSSLCrypto
import SyntheticExport
import Threads

/// Where the process begins, and where every error becomes one line and an exit code.
@main
enum Program {
    static func main() {
        CoreDumps.forbid()
        // A closed pipe is an error of `write`, which says where, not a signal that kills the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a limit on the size of files, which a service manager may set.
        signal(SIGXFSZ, SIG_IGN)
        // A parent may have us ignore it, and then we could not learn how our children ended.
        signal(SIGCHLD, SIG_DFL)
        // libdispatch asks for a priority that only root gets, and writes to the system log when it is refused.
        unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
        occupyStandardStreams()
        keepMemoryFlat()
        checkArguments()
        do {
            var command = try Pghd.parseAsRoot()
            requireCommand(in: command)
            checkEnvironment()
            forgetOtherZones()
            Interruption.install()
            if let command = command as? any AsyncParsableCommand { runTask(of: command) }
            try command.run()
        } catch {
            end(with: error)
        }
        end(ExitStatus.done.rawValue)
    }

    /// Shows the help of a command that only holds others, as a script's mistake: it did nothing that was asked for.
    private static func requireCommand(in command: any ParsableCommand) {
        let kind = type(of: command)
        guard !kind.configuration.subcommands.isEmpty else { return }
        Terminal.write(Pghd.helpMessage(for: kind) + "\n")
        end(ExitStatus.usage.rawValue)
    }

    /// Runs a command that waits for others, and ends the process.
    ///
    /// The task ends it itself: coming back here might need a thread that the system no longer gives.
    private static func runTask(of command: sending any AsyncParsableCommand) -> Never {
        OwnThread.require(neededThreadCount)
        Task {
            var command = command
            do {
                try await command.run()
            } catch {
                await settle()
                end(with: error)
            }
            await settle()
            end(ExitStatus.done.rawValue)
        }
        // Signals are delivered to this thread.
        while true { pause() }
    }

    /// Waits for a renewal that is under way, whose token would be lost.
    private static func settle() async {
        // A watch says for its runs what they wait for.
        let isSilent = CommandLine.arguments.contains {
            ["-q", "--quiet"].contains($0) || $0.hasPrefix("--watched-by=")
        }
        let isQuiet = isSilent || !TokenRenewal.isUnderWay
        await Interruption.explaining(isQuiet: isQuiet, remark: " (once more ends at once)") {
            await TokenRenewal.settle()
        }
    }

    /// The most threads that `sync` uses, more than any other command that uses the pool: with eight it waits for ever.
    private static let neededThreadCount = 10

    /// Fills the places of standard streams that were closed.
    ///
    /// Otherwise the next file that is opened would get such a number and be used as that stream. Each is opened in the
    /// wrong direction, so that using it stays an error; without `/dev/null` a folder serves, which nobody can write to
    /// or read from.
    private static func occupyStandardStreams() {
        for (number, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            if unsafe open("/dev/null", flags) < 0 { _ = unsafe open("/", O_RDONLY | O_DIRECTORY) }
        }
    }

    /// Time zone rules are the program's own, so that the same program writes the same everywhere.
    private static func forgetOtherZones() {
        for name in ["ICU_TIMEZONE_FILES_DIR", "ICU_DATA"] { unsafe unsetenv(name) }
    }

    /// Refuses a variable that holds a path and is not UTF-8.
    private static func checkEnvironment() {
        guard let name = Environment.nameOfUnreadable else { return }
        say("pghd: \(name): not UTF-8 (expected a value that is): set another one, or rename the folder")
        end(ExitStatus.usage.rawValue)
    }

    /// Refuses an argument that is not UTF-8: another file would be read or written in its place.
    private static func checkArguments() {
        // Not even the program's name: Swift reads the arguments there, and without them any command would be the help.
        guard CommandLine.argc > 0 else {
            say("pghd: /proc/self/cmdline: can't be read (expected this run's arguments): mount /proc")
            end(ExitStatus.unreadable.rawValue)
        }
        for number in 1..<max(Int(CommandLine.argc), 1) {
            guard let argument = unsafe CommandLine.unsafeArgv[number] else { return }
            guard unsafe String(validatingCString: argument) == nil else { continue }
            let shown = unsafe String(cString: argument)
            say("pghd: '\(shown)': not UTF-8 (expected a name or an option that is): rename the file")
            end(ExitStatus.usage.rawValue)
        }
    }

    /// Says what is wrong and ends with its code.
    private static func end(with error: any Error) -> Never {
        let own = error as? WatchedFailure
        end(report(own?.error ?? error).rawValue + (own?.matter.rawValue ?? 0))
    }

    /// Ends the process without exit handlers: everything is written and closed by now, and libraries that clean up
    /// would break threads that are still ending.
    private static func end(_ code: Int32) -> Never { _exit(code) }

    /// Returns freed buffers to the system; otherwise memory fragments, and grows while a gigabyte is read.
    private static func keepMemoryFlat() { mallopt(M_MMAP_THRESHOLD, 128 << 10) }

    /// Gives back code and tables that only the program's start needed: a third of what it would otherwise hold.
    ///
    /// The dynamic linker and Swift's search for types touch pages all over the file, and the system maps each with its
    /// neighbours. Pages that are needed again are mapped again, from the system's own cache.
    static func forgetStart() { pghd_give_back_code() }

    /// Says what is wrong, in one line, and returns the exit code for it.
    static func report(_ error: any Error) -> ExitStatus {
        let status: ExitStatus
        switch error {
        case let said as ExitStatus: return said
        case let error as ExportPipelineError: status = ExitStatus(error)
        case let error as SyntheticExportError: status = ExitStatus(error)
        case let error as DeliveryError: status = ExitStatus(error)
        case let error as OpenIDConnectError: status = ExitStatus(error)
        case let error as KeystoreError: status = ExitStatus(error)
        case let error as HTTPError: status = ExitStatus(.transport(error))
        case HTTPURLError.noLibrary: status = .unreadable
        case let error as IntegrationServerError: status = ExitStatus(error)
        case is CryptoError: status = .unreadable
        case is HeaderFileError: status = .signIn
        case is SettingsFileError: status = .usage
        default: return reportParserError(error)
        }
        guard status != .outputClosed else { return status }
        sayFault("\(error)")
        switch error {
        case DeliveryError.unauthorized, KeystoreError.passphrase(.noTerminal):
            if let missing = KeystoreOptions.missingSentence { sayFault(missing) }
        default: break
        }
        return status
    }

    /// Says what is wrong, and names a setting by its source: nobody can find an option that was not given.
    private static func sayFault(_ message: String) {
        let named = Setting.named(in: message)
        // The place is a path from a variable that was not set.
        say("pghd: \(named.hasPrefix(": ") ? "''" : "")\(named)")
    }

    /// Prints the help or version that was asked for, or says what is wrong with the arguments.
    private static func reportParserError(_ error: any Error) -> ExitStatus {
        guard Pghd.exitCode(for: error) != .success else {
            if let unknown = unknownTopic(of: CommandLine.arguments.dropFirst()) {
                say("pghd: unexpected argument '\(unknown.name)': see '\(unknown.command) --help'")
                return .usage
            }
            do throws(ExportPipelineError) {
                try StandardOutput.write(Pghd.fullMessage(for: error) + "\n")
                return .done
            } catch {
                return report(error)
            }
        }
        if let unknown = unknownCommand(of: CommandLine.arguments.dropFirst()) {
            let hint = likelyCommand(for: unknown).map { " (did you mean '\($0)'?)" } ?? ""
            say("pghd: unexpected argument '\(unknown)'\(hint): see 'pghd --help'")
            return .usage
        }
        let message = Pghd.message(for: error).split(separator: "\n").joined(separator: " ")
        let full = Pghd.fullMessage(for: error)
        // Our own messages name an option or a file and say what to do next; for the parser's messages, its help does.
        if message.hasPrefix("-") || !full.contains("Usage:") {
            sayFault(message)
        } else {
            let help = full.split(separator: "'").last { $0.hasPrefix("pghd") && $0.hasSuffix("--help") }
            // "Unknown option '--thread'. Did you mean '--threads'?"
            let parts = message.split(separator: ". ", maxSplits: 1)
            var hint =
                parts.count > 1 ? " (\(parts[1].prefix(1).lowercased())\(parts[1].dropFirst().trimmingStop))" : ""
            // A shell may have expanded `*` to many files.
            let fault = parts.first.map { $0.prefix(1).lowercased() + $0.dropFirst().trimmingStop } ?? ""
            if help == "pghd send --help", fault.contains("unexpected argument") {
                hint = " (expected one file, or a folder of Bundles; several files: 'cat FILES | pghd send -')"
            }
            let short = fault.count > 300 ? fault.prefix(200) + "…" : fault[...]
            say("pghd: \(short)\(hint): see '\(help ?? "pghd --help")'")
        }
        return .usage
    }

    /// The first argument where it is not a command: the parser would complain about the options after it instead.
    private static func unknownCommand(of arguments: ArraySlice<String>) -> String? {
        guard let name = arguments.first, !name.hasPrefix("-"), name != "help" else { return nil }
        return Pghd.configuration.subcommands.contains { $0.configuration.commandName == name } ? nil : name
    }

    /// The command that was probably meant: the closest one that differs by at most two letters.
    private static func likelyCommand(for name: String) -> String? {
        let typed = Array(name.lowercased().prefix(20))
        let names = Pghd.configuration.subcommands.compactMap { $0.configuration.commandName }
        let distances = names.map { (name: $0, distance: distance(typed, Array($0))) }
        return distances.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.name
    }

    /// How many letters have to be added, left out or exchanged (Levenshtein).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (number, letter) in left.enumerated() {
            var next = [number + 1]
            for (place, other) in right.enumerated() {
                next.append(min(next[place] + 1, row[place + 1] + 1, row[place] + (letter == other ? 0 : 1)))
            }
            row = next
        }
        return row[right.count]
    }

    /// The word after `pghd help` that is not a command, and the last command before it: the parser would show that
    /// command's help as if nothing were wrong.
    private static func unknownTopic(of arguments: ArraySlice<String>) -> (name: String, command: String)? {
        guard arguments.first == "help" else { return nil }
        var command: any ParsableCommand.Type = Pghd.self
        var path = "pghd"
        for name in arguments.dropFirst() where name != "help" && !name.hasPrefix("-") {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name })
            else { return (name, path) }
            command = next
            path += " " + name
        }
        return nil
    }
}

extension Substring {
    /// The text without the full stop at its end.
    fileprivate var trimmingStop: Substring { hasSuffix(".") ? dropLast() : self }
}

/// Says `text` on standard error, where messages go; standard output is for data.
///
/// It stays on one line, whatever the names in it hold.
func say(_ text: String) { Terminal.write(text.printable + "\n") }
