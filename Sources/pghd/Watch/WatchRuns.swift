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
    /// Whether the last run found the server away: each of many patients would wait for it as long.
    private var isServerAway = false
    /// The patient whose export failed last for a reason that seemed its own, since one was synced.
    private var lastUnreached: String?
    /// Whether a run has ever ended without the server's taking anything: there may be others like it.
    private var wasUnreached = false

    /// How many seconds a server that was away, or an export that may not be taken, is tried: the watch comes again.
    static let shortPatience = 5

    /// - Parameter options: those of `pghd sync`, in order.
    /// - Throws: what the parser throws.
    init(_ options: [String]) throws {
        self.options = options
        let sync = try SyncCommand.parse(Self.arguments(options, of: "export.zip", "p1"))
        isQuiet = sync.talk.quiet
        printsJSON = sync.talk.json
    }

    /// What stands behind `pghd sync`.
    static func arguments(_ options: [String], of path: String, _ patientID: String) -> [String] {
        // A name may begin with a hyphen: a file's comes last, a folder's, which is an id too, belongs to its option.
        options + ["--patient=\(patientID)", "--", path]
    }

    /// Syncs an export that is whole, and prints the run's JSON where it is wanted.
    ///
    /// - Parameters:
    ///   - export: names it.
    ///   - file: what is read.
    ///   - wasTried: whether the same was tried before.
    ///   - othersWait: whether exports of others are due.
    ///   - isCancelled: asked often; then the run is told to end.
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
        // What may be its own is not waited for where others wait, nor twice; what is the server's is, unless it is away.
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
            // What a full disk has cut stays a line of its own.
            try StandardOutput.write((mayHaveCutLine ? "\n" : "") + line, isReport: true)
            mayHaveCutLine = false
        } catch .outputClosed {
            throw ExitStatus.outputClosed
        } catch {
            // On a full disk, say: it is told once it can be.
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
        // It was not asked.
        case _ where ending.matter == .ledger: break
        // One that fails at each of them may be in trouble as a whole.
        case .unreachable where ending.matter == .export:
            wasUnreached = true
            isServerAway = isServerAway || (lastUnreached.map { $0 != export.patientID } ?? false)
            lastUnreached = export.patientID
        case .unreachable: (isServerAway, wasUnreached) = (true, true)
        case _ where ending.matter == .export: break
        case .done, .damaged, .signIn, .refused: (isServerAway, lastUnreached) = (false, nil)
        // Who ends so may not have asked it.
        case .unreadable, .keystore, .usage, .interrupted, .outputClosed, .none: break
        }
        switch status {
        case .done: return .done
        // What may get better while the file stays as it is.
        case .unreachable, .signIn, .keystore, .interrupted, .outputClosed, .none: return .later
        // The ledger could not be written, on a full disk, say.
        case .unreadable where ending.matter == .ledger: return .later
        // The file is in order: then something else could not be read.
        case .unreadable: return mayBeInOrder() ? .later : .faulty
        // What stands in front of the server has answered a read.
        case .refused where ending.matter == .export: return .later
        // It may be the file's fault, or that of the server or of what the options name.
        case .refused, .usage: return .rarely
        case .damaged: return .faulty
        }
    }

    /// Whether the export can be read, or the system fails to read it, as a disk that is away for a moment.
    ///
    /// The file that was read, by its descriptor: what has taken its name meanwhile may be a pipe, or another's.
    private static func mayBeInOrder(_ file: WatchedFile, _ isCancelled: () -> Bool) -> Bool {
        do throws(HealthExportError) {
            try ExportInput(path: "/proc/self/fd/\(file.descriptor)").checkMainXML(isCancelled: isCancelled)
            return true
        } catch {
            return error.isFailureToRead
        }
    }
}
