import ArgumentParser
import CredentialStore
import ExportPipeline
import Glibc
import HealthExport

/// The runs of a watch: each `pghd sync` of one export, and what comes of it.
struct WatchRuns {
    private let options: [String]
    /// The keystore's key, once a run has derived it.
    private let sharedKey = SharedKey()
    private let isQuiet: Bool
    private let printsJSON: Bool
    /// Whether the last line of JSON could not be written, or only its beginning.
    private var mayHaveCutLine = false
    /// Whether the last run found the server away: the exports of many patients would each wait for it that long.
    private var isServerAway = false
    /// The patient whose export last failed for a reason that seemed its own, since a run last reached the server.
    private var lastUnreached: String?
    /// Whether a run has ever ended without the server taking anything: there may be others like it.
    private var wasUnreached = false

    /// How many seconds to try a server that was away, or an export that may not be taken: the watch tries again later.
    static let shortPatience = 5

    /// - Parameters:
    ///   - options: those of `pghd sync`, in order.
    ///   - talk: what they say about what is printed.
    init(_ options: [String], _ talk: TalkOptions) {
        self.options = options
        isQuiet = talk.quiet
        printsJSON = talk.json
    }

    /// A run with these options, whatever its export.
    ///
    /// - Throws: what the parser throws.
    static func parsed(_ options: [String]) throws -> SyncCommand {
        try SyncCommand.parse(arguments(options, of: "export.zip", "p1"))
    }

    /// The arguments after `pghd sync`.
    private static func arguments(_ options: [String], of path: String, _ patientID: String) -> [String] {
        // A name may begin with a hyphen: so the file's comes last, and the folder's, which is also an id, is joined to
        // its option.
        options + ["--patient=\(patientID)", "--", path]
    }

    /// Syncs an export that is whole, and prints the run's JSON where it is wanted.
    ///
    /// - Parameters:
    ///   - export: names it.
    ///   - file: what is read.
    ///   - wasTried: whether the same export was tried before.
    ///   - othersWait: whether others are due too.
    ///   - isCancelled: asked often; if it is, the run is told to end.
    /// - Returns: what came of it, and how its process ended.
    /// - Throws: `ExitStatus.outputClosed` where nobody reads the reports of `--json` any more.
    mutating func sync(
        _ export: WatchedExport,
        _ file: WatchedFile,
        wasTried: Bool,
        othersWait: Bool,
        isCancelled: () -> Bool
    ) throws -> (outcome: WatchSchedule.Outcome, ending: SyncProcess.Ending) {
        if !isQuiet { say("pghd: \(export.path): begins") }
        // A cause that may be the export's own is not waited for while others wait, nor twice. One of the server's is,
        // unless the server is away.
        let patience =
            (isServerAway ? ["--contact-for=\(Self.shortPatience)"] : [])
            + (wasTried || (wasUnreached && othersWait) ? ["--failure-for=\(Self.shortPatience)"] : [])
        let shared = sharedKey.map { ["--shared-key=\($0.descriptor)"] } ?? []
        let own = Self.arguments(options + patience + shared, of: export.path, export.patientID)
        let (ending, printed) = SyncProcess.run(
            ["sync", "--watched-by=\(getpid())"] + own,
            input: file.descriptor,
            kept: sharedKey?.descriptor,
            isCaught: printsJSON,
            isCancelled: isCancelled
        )
        let outcome = try note(ending, of: export) { Self.mayBeInOrder(file, isCancelled) }
        guard printsJSON else { return (outcome, ending) }
        let name = String(export.path.split(separator: "/").last ?? "")
        let line = RunReport.jsonLine(
            String(decoding: printed, as: UTF8.self),
            of: (export.patientID, name),
            exitCode: ending.code.map { UInt8(truncatingIfNeeded: $0) }
        )
        do throws(ExportPipelineError) {
            // A line that a full disk has cut is ended first.
            try StandardOutput.write((mayHaveCutLine ? "\n" : "") + line, isReport: true)
            mayHaveCutLine = false
        } catch .outputClosed {
            throw ExitStatus.outputClosed
        } catch {
            // For example on a full disk: it is said once that is possible.
            mayHaveCutLine = true
            say("pghd: \(error)")
            return (.later, .exited(ExitStatus.unreadable.rawValue))
        }
        return (outcome, ending)
    }

    private mutating func note(
        _ ending: SyncProcess.Ending,
        of export: WatchedExport,
        mayBeInOrder: () -> Bool
    ) throws -> WatchSchedule.Outcome {
        let status = ending.status
        guard status != .outputClosed else { throw ExitStatus.outputClosed }
        switch status {
        // The server was not asked.
        case _ where ending.matter == .ledger: break
        // A server that fails at several patients' exports may be in trouble as a whole.
        case .unreachable where ending.matter == .export:
            wasUnreached = true
            isServerAway = isServerAway || (lastUnreached.map { $0 != export.patientID } ?? false)
            lastUnreached = export.patientID
        case .unreachable: (isServerAway, wasUnreached) = (true, true)
        case _ where ending.matter == .export: break
        case .done, .damaged, .signIn, .refused: (isServerAway, lastUnreached) = (false, nil)
        // Such a run may not have asked the server.
        case .unreadable, .keystore, .usage, .interrupted, .outputClosed, .none: break
        }
        switch status {
        case .done: return .done
        // This may get better while the file stays as it is.
        case .unreachable, .signIn, .keystore, .interrupted, .outputClosed, .none: return .later
        // The ledger could not be written, for example on a full disk.
        case .unreadable where ending.matter == .ledger: return .later
        // If the file is in order, something else could not be read.
        case .unreadable: return mayBeInOrder() ? .later : .faulty
        // Something in front of the server has answered a read.
        case .refused where ending.matter == .export: return .later
        // The fault may be the file's, the server's, or in what the options name.
        case .refused, .usage: return .rarely
        case .damaged: return .faulty
        }
    }

    /// Whether the export can be read, or the system fails to read it, for example from a disk that is away for a
    /// moment.
    ///
    /// Reads the file that the run read, by its descriptor: what has taken its name meanwhile may be a pipe, or
    /// another's.
    private static func mayBeInOrder(_ file: WatchedFile, _ isCancelled: () -> Bool) -> Bool {
        do throws(HealthExportError) {
            try ExportInput(path: "/proc/self/fd/\(file.descriptor)").checkMainXML(isCancelled: isCancelled)
            return true
        } catch {
            return error.isFailureToRead
        }
    }
}
