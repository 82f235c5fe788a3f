import ArgumentParser

/// `pghd watch`: syncs each export that is put into a patient's folder.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Sync each export that is dropped into a folder",
        discussion: """
            Looks for exports (.zip or .xml) in DIR/<patient-id>/ and runs 'pghd sync' on each that is \
            complete: it has not changed for 2 s and has its end. Options of sync can be given after DIR, \
            except --patient, which the folder names, and --passphrase-fd, which can be read only once.

            After a locked keystore, a server that is away or a sign-in that has ended it tries again in a \
            minute, then after twice as long each time, up to an hour. After refused entries (6), or where a \
            decision is needed (64), it waits an hour, up to a day. A damaged file waits until it changes.

              pghd watch exports --server https://fhir.example.org/r4 --passphrase-file key

            Runs until it is told to end, one export at a time. docs/watch.md has a unit for systemd.

            \(ExitStatus.helpSection(
                [.done, .damaged, .unreadable, .unreachable, .usage, .interrupted, .outputClosed],
                saying: [
                    .done: "with --once: each export was synced",
                    .damaged: "with --once: an export waits for another file or a decision",
                    .unreadable: "DIR can't be read or holds nothing, or the report can't be written",
                    .unreachable: "with --once: the next watch tries what is left",
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
        help: ArgumentHelp("Options of 'pghd sync', after the folder.", valueName: "sync options")
    )
    var options: [String] = []

    func validate() throws {
        guard (1...3600).contains(tryAgainAfter) else {
            throw ValidationError.outOfRange("--try-again-after", tryAgainAfter, 1...3600)
        }
        guard rarelyAfter > 0, settlingMilliseconds >= 0 else {
            throw ValidationError(
                "--rarely-after, --settling-milliseconds: out of range (expected 1 s, 0 ms or more): choose another"
            )
        }
        try Self.checkOrder(of: CommandLine.arguments.dropFirst(2).prefix { $0 != folder })
        for option in ["--patient", "--passphrase-fd"] where options.contains(where: { $0.hasPrefix(option) }) {
            let reason = option == "--patient" ? "the folder's name is the patient" : "a descriptor can be read once"
            throw ValidationError("\(option): not with watch (\(reason)): leave it out")
        }
        // Refuses at once what sync would refuse every time.
        if let extra = try? SyncCommand.parse(["--patient=p1"] + options) {
            throw ValidationError(
                "'\(extra.export)': unexpected (expected options of sync alone, since exports lie in the folder)"
            )
        }
        let sync: SyncCommand
        do {
            sync = try WatchRuns.parsed(options)
        } catch {
            throw ValidationError(SyncCommand.message(for: error))
        }
        // Nobody drops files into a folder whose name begins with a dot, as folders below a home often do.
        if let ledger = try? sync.delivery.ledger.folder,
            RealPath.isSame(ledger, as: folder) || RealPath.member(ledger, of: folder)?.hasPrefix(".") == false
        {
            throw ValidationError(
                "--ledger: '\(ledger)' lies in the watched folder (expected a place outside it, where nobody drops files): "
                    + "choose another"
            )
        }
        if let report = sync.delivery.report, RealPath.lies(report, below: folder) {
            throw ValidationError(
                "--report: '\(report)' lies in the watched folder (expected a place outside it, where no export is): "
                    + "choose another"
            )
        }
        guard sync.delivery.force || !(sync.delivery.reportFile?.isMade ?? false) else {
            throw ValidationError(
                "--report: the first export alone could write it (expected --force too, with which it holds the last "
                    + "one's): add --force"
            )
        }
    }

    /// Refuses options of sync before the folder: the parser would drop them, and take their value for the folder.
    private static func checkOrder(of arguments: some Sequence<String>) throws {
        let own = ["--once", "--try-again-after", "--rarely-after", "--settling-milliseconds", "--"]
        for argument in arguments where argument.hasPrefix("-") {
            let name = String(argument.prefix { $0 != "=" })
            guard !own.contains(name) else { continue }
            throw ValidationError(
                "\(name): stands before the folder (expected pghd watch DIR, then options of sync): move it after DIR"
            )
        }
    }

    func run() throws {
        // Perhaps neither an option nor a setting names a server: then each run would end with the same message.
        var sync = try WatchRuns.parsed(options)
        _ = try sync.server.checkedServer()
        _ = try sync.delivery.ledger.folder
        // Files, such as the key of ids or another mapping, may be missing for a moment.
        sync.writing.idKey = nil
        if case .success = Result(catching: { try sync.running.mapping.profilesFolder }) {
            _ = try sync.checkedOptions(patientID: "p1")
        }
        try OpenFiles.check()
        var loop = WatchLoop(
            folder: WatchedFolder(path: folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder),
            runs: WatchRuns(options, sync.talk),
            schedule: WatchSchedule(
                settling: .milliseconds(settlingMilliseconds),
                later: WatchSchedule.Waits(first: .seconds(tryAgainAfter), longest: .seconds(3600)),
                rarely: WatchSchedule.Waits(first: .seconds(rarelyAfter), longest: .seconds(86_400))
            ),
            hold: WatchHold(WatchSchedule.Waits(first: .seconds(tryAgainAfter), longest: .seconds(300))),
            isOnce: once,
            cancellation: Interruption.beginRun()
        )
        try loop.run()
    }
}
