public import HealthExport
public import HealthKitMapping

/// Why a run failed.
public enum ExportPipelineError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The input can't be read as an export.
    case input(HealthExportError)
    /// `--profiles` names a folder that can't be used.
    case profile(ProfileError)
    /// The patient's id is not a valid FHIR id.
    case patientID
    /// No time zone has this name.
    case timeZone(String)
    /// `MappingOptions.types` contains a name that is not the full name of a type in the mapping.
    case type(String)
    /// `MappingOptions.until` is not after `since`.
    case span
    /// `MappingOptions.identityKey` is too short or too long.
    case identityKey
    /// One of `BundleLimits` is out of its range.
    case limits
    /// `ConversionOptions.isSplit` without Bundles, or without a folder.
    case split
    /// The form makes resources without Bundles, but Bundles are needed.
    case resourcesAlone
    /// The delivery or verification is for another patient than the conversion.
    case otherPatient
    /// Another conversion, or none, has set up the options of the delivery or verification: its ledger and its server
    /// have the resources under other ids, or with other bytes.
    case otherConversion
    /// A file could not be written: its path, and the system's reason.
    case output(path: String, reason: String)
    /// Another run writes into the folder.
    case outputBusy(path: String)
    /// The file of `--report` could not be written: its path, and the system's reason.
    case report(path: String, reason: String)
    /// The reader of the output has closed it, as `head` does after ten lines.
    case outputClosed(path: String)
    /// The file exists, and replacing it was not allowed.
    case outputExists(path: String)
    /// The file of `--report` exists, and replacing it was not allowed.
    case reportExists(path: String)
    /// The system gives no thread at all.
    case noThread
    /// The run was cancelled, such as by Ctrl-C.
    case interrupted

    /// Where, what is wrong, and what to do.
    public var description: String {
        switch self {
        case .input(let fault): "\(fault)"
        case .profile(let fault): "\(fault)"
        case .patientID:
            "--patient: this is not a FHIR id (expected 1 to 64 letters, digits, - or .): "
                + "use the id that the patient has on the server, such as p123"
        case .timeZone(let name):
            "--time-zone: \"\(name)\" is not an IANA time zone (expected a name such as Europe/Paris): check its spelling"
        case .type(let name):
            "types: \"\(name)\" is not a type of the mapping (expected such as HKQuantityTypeIdentifierHeartRate): "
                + "write it in full, as docs/supported-types.md does"
        case .span: "until: not after since (expected a later time): exchange them or widen the span"
        case .identityKey:
            "identityKey: has the wrong length (expected 16 to 4096 bytes): make one of random bytes, or leave it out"
        case .limits:
            "limits: one is out of range (expected 1 to 30,000 entries, 1 to 1,000,000,000 bytes, 1 or more of the others): "
                + "change it"
        case .split: "isSplit: needs Bundles and a folder (expected both): give them, or leave it out"
        case .resourcesAlone:
            "form: resources are not Bundles (expected .update or .conditionalCreate): choose one, or write files"
        case .otherPatient:
            "patientID: the delivery's is not the conversion's (expected the same): give both one"
        case .otherConversion:
            "configure: another conversion, or none, has set up the delivery's options (expected this one): pass them to its "
                + "configure"
        case .output("standard output", let reason):
            "standard output: cannot be written (\(reason)): give it another place"
        case .output(let path, let reason): "\(path): cannot be written (\(reason)): choose another place with -o"
        case .outputBusy(let path):
            "\(path): another run writes there (expected one at a time): wait for it to end, or choose another folder with -o"
        case .report(let path, let reason):
            "\(path): cannot be written (\(reason)): choose another place with --report"
        case .outputClosed(let path):
            "\(path): closed by its reader (expected one that reads to the end): not all was written"
        case .outputExists(let path): "\(path): exists already: choose another name with -o, or replace it with --force"
        case .reportExists(let path):
            "\(path): exists already: choose another name with --report, or replace it with --force"
        case .noThread:
            "the system gives no thread (expected at least one): raise the limits of processes and memory (ulimit -u, -v)"
        case .interrupted:
            "interrupted: the output is not complete (expected all of it), files that were begun are removed: "
                + "run the command again"
        }
    }
}

extension ExportPipelineError {
    /// The same fault if the file is a report.
    var aboutReport: ExportPipelineError {
        switch self {
        case .output(let path, let reason): .report(path: path, reason: reason)
        case .outputExists(let path): .reportExists(path: path)
        default: self
        }
    }
}
