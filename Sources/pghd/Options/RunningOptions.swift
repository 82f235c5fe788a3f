import ArgumentParser
import ExportPipeline
import Glibc
import HealthExport

/// How a command reads its input.
struct RunningOptions: ParsableArguments {
    private static let threadRange = RunOptions.threadRange

    /// What reads the records of the XML.
    enum Parser: String, ExpressibleByArgument, CaseIterable {
        /// Apple's own form by a scanner, the rest by libxml2.
        case fast
        /// libxml2 alone.
        case libxml2
    }

    @Option(
        help: "Worker threads, \(threadRange.lowerBound) to \(threadRange.upperBound). (default: one for each core)"
    )
    var threads: Int?

    @OptionGroup var mapping: ProfilesOptions

    @Option(help: "How records are read: fast, or all by libxml2, for comparison; what is written is the same.")
    var parser = Parser.fast

    @Option(help: ArgumentHelp("Bytes of XML that a worker takes at a time, for tests.", visibility: .hidden))
    var chunkBytes = ChunkCutter.defaultChunkByteCount

    func validate() throws {
        if let threads, !Self.threadRange.contains(threads) {
            throw ValidationError.outOfRange("--threads", threads, Self.threadRange)
        }
        guard ChunkCutter.chunkByteCounts.contains(chunkBytes) else {
            throw ValidationError("--chunk-bytes: out of range (expected 64 bytes to 2 MiB): choose a number inside")
        }
    }

    /// The options of a run.
    ///
    /// - Throws: `ValidationError` where the other mapping's folder is not a folder.
    var runOptions: RunOptions {
        get throws {
            var options = RunOptions()
            options.threads = threadCount
            options.chunkByteCount = chunkBytes
            options.scansCanonicalRecords = parser == .fast
            options.profilesFolder = try mapping.profilesFolder
            return options
        }
    }

    /// The threads asked for, or the cores that are online.
    var threadCount: Int {
        threads ?? min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), Self.threadRange.upperBound)
    }
}
