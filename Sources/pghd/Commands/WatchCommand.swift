import ArgumentParser
import ExportPipeline
import Glibc
import HealthExport

/// `pghd watch`: syncs each export that is put into a patient's folder.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Sync each export that is dropped into a folder",
        discussion: """
            Looks for exports (.zip or .xml) in DIR/<patient-id>/ and runs 'pghd sync' on each that is \
            whole: it has not changed for 2 s and has its end. Options of sync can be given after DIR, \
            except --patient, which the folder names, and --passphrase-fd, which can be read once.

            A locked keystore, a server that is away or a sign-in that has ended is tried again after a \
            minute, then after twice as long, up to an hour; refused entries (6) and what asks for a \
            decision (64) after an hour, up to a day; a damaged file once it changes.

              pghd watch exports --server https://fhir.example.org/r4 --passphrase-file key

            Runs until it is told to end; one export at a time. docs/watch.md has a unit for systemd.

            \(ExitStatus.helpSection(
                [.done, .damaged, .unreadable, .unreachable, .usage, .interrupted, .outputClosed],
                saying: [
                    .done: "with --once: each export was synced",
                    .damaged: "with --once: an export waits for another file or a decision",
                    .unreadable: "DIR can't be read",
                    .unreachable: "with --once: all that is left is tried by the next watch",
                ]
            ))
            """
    )

    @Argument(help: "The folder with a folder for each patient.", completion: .directory)
    var folder: String

    @Option(help: ArgumentHelp("The first wait before another try; it doubles up to an hour.", valueName: "seconds"))
    var tryAgainAfter = 60

    @Option(help: ArgumentHelp("How long a file must not change, for tests.", visibility: .hidden))
    var settlingMilliseconds = 2000

    @Option(help: ArgumentHelp("The first wait after 6 and 64, for tests.", visibility: .hidden))
    var rarelyAfter = 3600

    @Flag(help: "Try each export that is there once, then end, as a timer's job.")
    var once = false

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Options of 'pghd sync', behind the folder.", valueName: "sync options")
    )
    var options: [String] = []

    func validate() throws {
        guard (1...3600).contains(tryAgainAfter) else {
            throw ValidationError(
                "--try-again-after: \(tryAgainAfter) is out of range (expected 1 to 3,600): choose a number inside"
            )
        }
        guard rarelyAfter > 0, settlingMilliseconds >= 0 else {
            throw ValidationError("--rarely-after, --settling-milliseconds: negative (expected a time): choose another")
        }
        try Self.checkOrder(of: CommandLine.arguments.dropFirst(2).prefix { $0 != folder })
        for option in ["--patient", "--passphrase-fd"] where options.contains(where: { $0.hasPrefix(option) }) {
            let reason = option == "--patient" ? "the folder's name is the patient" : "a descriptor can be read once"
            throw ValidationError("\(option): not with watch (\(reason)): leave it out")
        }
        // What sync would refuse every time is refused at once.
        if let extra = try? SyncCommand.parse(["--patient=p1"] + options) {
            throw ValidationError(
                "'\(extra.export)': unexpected (expected options of sync alone, since exports lie in the folder)"
            )
        }
        let sync: SyncCommand
        do {
            sync = try SyncCommand.parse(WatchRuns.arguments(options, of: "export.zip", "p1"))
        } catch {
            throw ValidationError(SyncCommand.message(for: error))
        }
        if let report = sync.delivery.report, OutputPlace.lies(report, below: folder) {
            throw ValidationError(
                "--report: '\(report)' lies in the watched folder (expected a place beside it, where no export is): "
                    + "choose another"
            )
        }
        guard sync.delivery.force || !sync.delivery.makesReport else {
            throw ValidationError(
                "--report: the first export alone could write it (expected --force too, with which it holds the last "
                    + "one's): add --force"
            )
        }
    }

    /// The parser drops what stands before the folder and is not ours, and takes its value for the folder.
    private static func checkOrder(of arguments: some Sequence<String>) throws {
        let own = ["--once", "--try-again-after", "--rarely-after", "--settling-milliseconds", "--"]
        for argument in arguments where argument.hasPrefix("-") {
            let name = String(argument.prefix { $0 != "=" })
            guard !own.contains(name) else { continue }
            throw ValidationError(
                "\(name): stands before the folder (expected pghd watch DIR, then options of sync): move it behind DIR"
            )
        }
    }

    func run() throws {
        // Neither an option nor a setting may name a server: then each run would end with the same words.
        var sync = try SyncCommand.parse(WatchRuns.arguments(options, of: "export.zip", "p1"))
        _ = try sync.server.checkedServer()
        // What lies in files may be away for a moment: the key of ids, another mapping.
        sync.writing.idKey = nil
        if case .success = Result(catching: { try sync.running.profilesFolder }) {
            _ = try sync.checkedOptions(patientID: "p1")
        }
        try OpenFiles.check()
        Interruption.install()
        let cancellation = Interruption.beginRun()
        let watched = WatchedFolder(path: folder)
        var runs = try WatchRuns(options)
        var schedule = WatchSchedule(
            settling: .milliseconds(settlingMilliseconds),
            later: WatchSchedule.Waits(first: .seconds(tryAgainAfter), longest: .seconds(3600)),
            rarely: WatchSchedule.Waits(first: .seconds(rarelyAfter), longest: .seconds(86_400))
        )
        var hold = WatchHold(WatchSchedule.Waits(first: .seconds(tryAgainAfter), longest: .seconds(300)))
        var faults = WatchFaults()
        var isFirst = true
        /// - Returns: how long all wait since then, where they did not before.
        func attempt(_ export: WatchedExport) throws -> Duration? {
            guard WatchedFolder.isUnchanged(export) else { return nil }
            if let outcome = outcomeWithoutRun(of: export) {
                schedule.note(outcome, of: export, at: .now)
                return nil
            }
            let (outcome, ending) = try runs.sync(export) { cancellation.isCancelled }
            let wait = schedule.note(outcome, of: export, at: .now)
            if outcome != .done { say("pghd: \(export.path): \(sentence(outcome, ending, wait))") }
            return hold.note(ending, of: export.patientID, at: .now)
        }
        while !cancellation.isCancelled {
            let start = ContinuousClock.now
            guard let exports = try exports(of: watched, noting: &faults, isFirst: isFirst) else {
                Self.sleep(.seconds(1), cancellation)
                continue
            }
            isFirst = false
            let pause = WatchSchedule.pause(after: .now - start)
            let looked = ContinuousClock.now
            schedule.note(exports, at: .now)
            let due = schedule.due(exports, at: .now, once: once)
            for export in due where !cancellation.isCancelled {
                // A run takes its time: much may have changed meanwhile.
                if .now >= looked + pause || hold.holds(at: .now) { break }
                if let wait = try attempt(export), !once { say("pghd: \(folder): \(Self.sentence(wait))") }
            }
            if once, hold.holds(at: .now), !cancellation.isCancelled {
                // Those in front stand there each time: the last one tells whether it is everybody's matter.
                if let last = due.last(where: { schedule.outcome(of: $0) == nil }) { _ = try attempt(last) }
                guard hold.holds(at: .now) else { continue }
                let left = exports.count { schedule.outcome(of: $0) == nil }
                if left > 0 { say("pghd: \(folder): \(Self.sentence(left: left))") }
                return try end(exports.map { schedule.outcome(of: $0) }, faults)
            }
            guard due.isEmpty || hold.holds(at: .now) else { continue }
            if once, exports.allSatisfy({ schedule.outcome(of: $0) != nil }) {
                return try end(exports.map { schedule.outcome(of: $0) }, faults)
            }
            Self.sleep(pause, cancellation)
        }
        throw ExitStatus.interrupted
    }

    private static func sleep(_ pause: Duration, _ cancellation: Cancellation) {
        let end = ContinuousClock.now + pause
        while !cancellation.isCancelled, .now < end { usleep(200_000) }
    }

    /// Ends a watch that has tried each export once.
    ///
    /// - Throws: `ExitStatus.damaged` where one waits for a person, else `.unreachable` where one waits for anything.
    private func end(_ outcomes: [WatchSchedule.Outcome?], _ faults: WatchFaults) throws {
        if faults.leaveExports || outcomes.contains(.faulty) || outcomes.contains(.rarely) { throw ExitStatus.damaged }
        if faults.mayPass || outcomes.contains(.later) { throw ExitStatus.unreachable }
    }

    /// How a run ended that did not sync its export, and when it is tried again.
    private func sentence(
        _ outcome: WatchSchedule.Outcome,
        _ ending: SyncProcess.Ending,
        _ wait: Duration?
    ) -> String {
        let ending =
            switch ending {
            case .exited(let code, _): "ended with \(code)"
            case .killed(let signal): "the run was killed (signal \(signal))"
            case .notStarted(let reason): "no run could be started (\(reason))"
            }
        switch outcome {
        case .done, .faulty: return "\(ending): it is tried again when the file changes"
        case .later: return "\(ending): it is tried again later"
        case .rarely:
            // Another watch tries it, or it has changed meanwhile and comes at once.
            guard let wait, !once else { return "\(ending): it is tried again later" }
            return "\(ending): it is tried again in \(Self.words(wait)), or when the file changes"
        }
    }

    /// What is said where all wait.
    private static func sentence(_ wait: Duration) -> String {
        "exports of \(WatchHold.enough) patients in a row could not be synced, which is no matter of one of them: "
            + "all wait for \(words(wait)), then one is tried"
    }

    /// What is said where the others are left to the next watch.
    private static func sentence(left count: Int) -> String {
        "exports of \(WatchHold.enough) patients in a row and of the last one could not be synced, which is no matter of "
            + "one of them: \(count == 1 ? "1 other is" : "\(count) others are") left to the next watch"
    }

    private static func words(_ wait: Duration) -> String {
        let seconds = wait.components.seconds
        switch seconds {
        case 3600: return "an hour"
        case 86_400: return "a day"
        default: return seconds % 3600 == 0 ? "\(seconds / 3600) hours" : "\(seconds) s"
        }
    }

    /// What lies there now; what is wrong with something is said once.
    ///
    /// - Returns: `nil` where a folder that could be read can't be for now, as one that is mounted anew.
    /// - Throws: `ExitStatus.unreadable` where it could never be read, or is looked at once.
    private func exports(
        of watched: WatchedFolder,
        noting faults: inout WatchFaults,
        isFirst: Bool
    ) throws -> [WatchedExport]? {
        do throws(WatchedFolder.Fault) {
            faults.begin()
            return try watched.exports { path, fault in
                if faults.isNew(fault, of: path) { say("pghd: \(path): \(fault.sentence)") }
            }
        } catch {
            guard isFirst || once else {
                if faults.isNew(error, of: folder) { say("pghd: \(folder): \(error.sentence)") }
                return nil
            }
            say("pghd: \(folder): can't be read (expected a folder with one for each patient): check the path")
            throw ExitStatus.unreadable
        }
    }

    /// What comes of an export that can't be synced as it lies there; `nil` of one that can.
    private func outcomeWithoutRun(of export: WatchedExport) -> WatchSchedule.Outcome? {
        do throws(WatchedFolder.Fault) {
            guard try !WatchedFolder.isWhole(export.path) else { return nil }
            say("pghd: \(export.path): has no end yet (expected a whole zip or XML): it is looked at when it changes")
            return .faulty
        } catch {
            say("pghd: \(export.path): \(error.sentence)")
            return .later
        }
    }
}
