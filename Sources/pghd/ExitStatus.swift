import ArgumentParser
import ExportPipeline
import Glibc

/// The command's exit codes; the same table stands in `pghd --help` and in the README.
enum ExitStatus: Int32 {
    case done = 0
    case damaged = 1
    case unreadable = 2
    case usage = 64
    case interrupted = 130

    /// The code of a run that could not be done.
    init(_ error: ExportPipelineError) {
        switch error {
        case .input: self = .unreadable
        case .profile, .patientID, .timeZone, .outputExists: self = .usage
        case .output: self = .unreadable
        case .interrupted: self = .interrupted
        }
    }
}

/// Says `text` on standard error, where talk goes; standard output is for data.
func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// Runs a command's work and turns its error into one line and an exit code.
func runOrExit<Result>(_ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch let error as ExportPipelineError {
        say("pghd: \(error)")
        throw ExitCode(ExitStatus(error).rawValue)
    }
}
