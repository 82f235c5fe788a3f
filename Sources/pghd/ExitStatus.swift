import CredentialStore
import Delivery
import ExportPipeline
import HTTPTransport
import IntegrationServer
import OpenIDConnect
import SyntheticExport

/// The command's exit codes; the table is in each `--help`, and in the README with what to do about each.
enum ExitStatus: Int32, Error, CaseIterable {
    case done = 0
    case damaged = 1
    case unreadable = 2
    case unreachable = 3
    case signIn = 4
    case keystore = 5
    case refused = 6
    case usage = 64
    case interrupted = 130
    case outputClosed = 141

    /// What the code means, for the help.
    var meaning: String {
        switch self {
        case .done: "done"
        case .damaged: "the input was damaged, and the rest was done"
        case .unreadable: "the input can't be read, or the output can't be written"
        case .unreachable: "the server can't be reached or is too busy, or its answer was lost"
        case .signIn: "nobody is signed in, or the sign-in was refused or does not allow this"
        case .keystore: "the keystore can't be opened or written, or there is no passphrase"
        case .refused: "the server refused entries or deletions, or can't do what is needed"
        case .usage: "wrong usage, a file is there already, or the run could have done harm"
        case .interrupted: "interrupted; files that were begun were removed"
        case .outputClosed: "the reader of standard output went away, as head does"
        }
    }

    /// What `unreachable` means where an answer may be lost, or a pipe may have to be sent again.
    static let unreachableOrAgain = "the server can't be reached or is too busy, or the run must be repeated"

    /// What `done` means where something is converted.
    static let doneWithAll = "done; what has no standard code is kept and counts as done"

    /// `EXIT STATUS` and a line for each code.
    ///
    /// - Parameters:
    ///   - statuses: the command's codes.
    ///   - meanings: what codes mean for this command, where that differs.
    /// - Returns: the section.
    static func helpSection(_ statuses: [ExitStatus], saying meanings: [ExitStatus: String] = [:]) -> String {
        let lines = statuses.map { status in
            let code = String(status.rawValue)
            return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(meanings[status] ?? status.meaning)"
        }
        return (["EXIT STATUS"] + lines).joined(separator: "\n")
    }

    /// The code of a run that failed.
    init(_ error: ExportPipelineError) {
        switch error {
        case .input, .output, .report, .noThread: self = .unreadable
        case .profile, .patientID, .timeZone, .type, .span, .identityKey, .limits, .split, .resourcesAlone,
            .otherPatient, .otherConversion, .outputExists, .reportExists:
            self = .usage
        // Another run is at work: nobody needs to be called.
        case .outputBusy: self = .unreachable
        case .interrupted: self = .interrupted
        case .outputClosed: self = .outputClosed
        }
    }

    /// The code of a delivery that failed.
    init(_ error: DeliveryError) {
        switch error {
        case .notABundle, .resourceInput, .exportInput, .severalPatients, .severalForms, .noPatient, .noBundle,
            .damagedInput, .damagedStream, .folderInput, .unreadableFolder, .foreignBundle, .foreignManifest,
            .resourceFolderInput,
            .unreadableInput, .ledgerUnwritable, .ledgerExposed, .ledgerMoved, .ledgersUnreadable:
            self = .unreadable
        case .givenIDs, .ledgerMisplaced, .ledgerTooNew, .otherFingerprint, .otherForm, .otherPerson, .otherPatient,
            .otherExport, .patientID, .bodyKey, .patientDeleted, .tooManyDeletions, .otherMapping, .lost,
            .unknownResources, .strangers, .notAServer, .finished:
            self = .usage
        case .inputBusy, .ledgerBusy, .ledgerDamaged, .ledgerLost, .unreachable, .redirected: self = .unreachable
        case .unauthorized, .forbidden, .patientUnreadable: self = .signIn
        case .unreadableServer(_, let status): self = status == 403 ? .signIn : .refused
        case .gone, .intercepted, .incapable, .contrary, .tooManyRefusals, .patientMissing, .idsRefused, .partialList:
            self = .refused
        case .interrupted: self = .interrupted
        }
    }

    /// The code of a sign-in that could not be made or used.
    init(_ error: OpenIDConnectError) {
        switch error {
        case .transport(.cancelled): self = .interrupted
        case .transport(.noLibrary): self = .unreadable
        case .transport(.unusableCAFile), .transport(.noAuthorities), .portTaken: self = .usage
        case .unusableURL("--server", _), .insecureURL("--server"), .unusableURL("--issuer", _),
            .insecureURL("--issuer"):
            self = .usage
        // A token that does not fit into a header.
        case .transport(.unsendableHeader): self = .signIn
        case .transport, .renewalUnreadable: self = .unreachable
        case .unexpectedStatus(_, let status) where HTTPStatus.mayPass(status): self = .unreachable
        default: self = .signIn
        }
    }

    /// The code of a keystore that could not be used.
    init(_ error: KeystoreError) {
        // Another run has it: nobody needs to be called.
        self = error.isPassing ? .unreachable : .keystore
    }

    /// The code of an export that could not be generated.
    init(_ error: SyntheticExportError) {
        switch error {
        case .cannotOpen, .cannotWrite: self = .unreadable
        case .interrupted: self = .interrupted
        case .outputClosed: self = .outputClosed
        case .daysOutOfRange, .sizeTooSmall, .sizeTooLarge, .notASize, .notADate, .endDateOutOfRange,
            .offsetOutOfRange, .fileExists, .archiveNeeded:
            self = .usage
        }
    }

    /// The code of a server that could not start.
    init(_ error: IntegrationServerError) {
        switch error {
        case .cannotListen, .inUse, .store, .database, .file: self = .unreadable
        case .notAnAddress, .notAnID, .loopbackOnly, .baseURLMissing, .notABaseURL: self = .usage
        }
    }
}
