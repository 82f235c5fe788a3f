public import HTTPTransport

/// Why a delivery could not be done, or had to stop.
///
/// No case holds a health value, a name or the text of an answer.
public enum DeliveryError: Error, Sendable, Equatable {
    /// A line is not a Bundle of `pghd convert`.
    case notABundle(path: String, line: Int)
    /// A line is a single resource, as `pghd convert --format resources` writes it.
    case resourceInput(path: String, line: Int)
    /// The input is an export instead of Bundles.
    case exportInput(path: String)
    /// A line is about another patient than the lines before it.
    case severalPatients(path: String, line: Int)
    /// A line's Bundle creates by identifier and the first does not, or the other way round.
    case severalForms(path: String, line: Int)
    /// The Bundles choose ids, but the server chooses its own.
    case givenIDs
    /// The patient's id is not a FHIR id.
    case patientID
    /// The key that encrypts bodies is not 32 bytes long.
    case bodyKey
    /// No line names a patient.
    case noPatient(path: String)
    /// The input holds no Bundle.
    case noBundle(path: String)

    /// The Bundles' gzip is damaged or cut short.
    case damagedInput(path: String)
    /// The same for input from a pipe, of which something may already have been sent.
    case damagedStream(path: String)
    /// A file in a folder of `convert --split` does not hold the one Bundle that it is named after.
    case foreignBundle(path: String)
    /// A run is writing the folder.
    case inputBusy(path: String)
    /// The input is a folder without the manifest of `convert --split`; `file` is the file of Bundles in it, if any.
    case folderInput(path: String, file: String?)
    /// What `--split` wrote, of which a file is missing or can't be read.
    case unreadableFolder(path: String, reason: String)
    /// The folder's manifest is not one that `convert --split` writes.
    case foreignManifest(path: String)
    /// The input is a folder that `convert --format resources` wrote.
    case resourceFolderInput(path: String)
    /// The Bundles can't be read; the reason is the system's.
    case unreadableInput(path: String, reason: String)

    /// The ledger can't be made, read or written; the reason is the system's.
    case ledgerUnwritable(path: String, reason: String)
    /// Others may write to the ledger's folder.
    case ledgerExposed(path: String)
    /// The ledger was moved or removed while the run was at work.
    case ledgerMoved(path: String)
    /// The folder of the ledgers can't be listed.
    case ledgersUnreadable(path: String)
    /// The ledger is damaged; it was put aside, so that the next run begins a new one.
    case ledgerDamaged(path: String)
    /// The ledger of a key-only server is damaged: without it everything would be stored a second time.
    case ledgerLost(path: String)
    /// Another run holds the ledger.
    case ledgerBusy(path: String)
    /// The file is the ledger of another server or patient.
    case ledgerMisplaced(path: String)
    /// The ledger was written by a later version.
    case ledgerTooNew(path: String, version: Int)
    /// What is to be sent was not made as the ledger's resources were; `what` is the field in which they differ.
    case otherFingerprint(what: Fingerprint.Field, found: String, expected: String)
    /// The ledger's resources have ids that pghd chose, or else the server's, and these Bundles would give them the
    /// other kind.
    case otherForm(isOurs: Bool)

    /// The export's birth date or sex differs from that of the exports before.
    case otherPerson(patientID: String)
    /// The export's birth date or sex differs from that of the server's Patient.
    case otherPatient(patientID: String)
    /// Hardly any of the export's first `count` samples was delivered before, although a whole export was.
    case otherExport(patientID: String, count: Int)
    /// More resources would be marked as entered in error than are allowed at once.
    case tooManyDeletions(offered: Int, allowed: Int)

    /// Resources that were delivered are no longer on the server.
    case lost(server: String, count: Int, of: Int)
    /// The server has resources of this patient that pghd made, but the ledger knows of none.
    case unknownResources(server: String, count: Int)
    /// The server has resources of this patient that pghd made, but hardly any of them is in the export.
    case strangers(server: String, count: Int, found: Int)
    /// A ledger can't be rebuilt, because the server's list of this patient's resources can't be read to its end.
    case partialList(server: String)
    /// The ledger's mapping is not the one that the server is compared with.
    case otherMapping(found: String, expected: String)
    /// The server's resources can't be read.
    case unreadableServer(url: String, status: Int)

    /// No answer, or no useful one, in the time allowed.
    case unreachable(fault: Fault, seconds: Int)
    /// The server redirects elsewhere; `location` is the origin that it names.
    case redirected(url: String, location: String? = nil)
    /// The server does not answer as a FHIR server does at its base.
    case notAServer(url: String, status: Int, isKeyOnly: Bool = false)
    /// The server took Bundles, and then no longer answered as a FHIR server does at its base.
    case gone(url: String, status: Int)
    /// A page for browsers came in place of the server's answer, or what is not FHIR before anything was taken.
    case intercepted(url: String, status: Int)
    /// The server's CapabilityStatement says that it can't do what is needed.
    case incapable(server: String, of: String, next: String)
    /// The server took a Bundle, but did something else with it than was asked.
    case contrary(Contradiction, server: String)
    /// The server accepts no token that there is, or needs one and there is none.
    case unauthorized(TokenFault, server: String)
    /// The server, or something in front of it, does not allow what the sign-in is used for.
    case forbidden(server: String, mayBeBlocked: Bool = false)
    /// The server refused too many entries to go on; it may be one that chooses ids itself.
    case tooManyRefusals(refused: Int, of: Int, quarantine: String, mayChooseIDs: Bool)
    /// The server refused every entry, and has no such Patient.
    case patientMissing(server: String, patientID: String)
    /// The Patient was deleted on the server.
    case patientDeleted(server: String, patientID: String)
    /// The server does not say whether it has the Patient that is to be sent.
    case patientUnreadable(server: String, patientID: String)
    /// The server refused to create anything under an id that it did not choose.
    case idsRefused(server: String)
    /// Someone pressed Ctrl-C or cancelled the run.
    case interrupted
    /// The ``Delivery`` or ``Verification`` was used again after it was finished.
    case finished

    /// What is wrong with a ledger that lies where another belongs.
    package static let misplacement =
        "holds another server's or patient's ledger (expected that of --server and --patient): put it back where it was, "
        + "or move it away"

    /// What the server had been given when it answered 401.
    public enum TokenFault: Sendable, Equatable {
        /// No token.
        case missing
        /// A token, and then a renewed one; `scheme` is what the server asks for instead, such as `Basic`.
        case refused(scheme: String?)
    }

    /// What a server did instead of what was asked.
    public enum Contradiction: Sendable, Equatable {
        /// It stored resources under ids of its own.
        case otherIDs
        /// Its answer has the entries in another order than the Bundle.
        case otherOrder
        /// It took each entry by itself, so that links between entries lead nowhere.
        case batch
        /// It accepted the Bundle for later (202), and says nothing about its entries.
        case asynchronous
    }

    /// What came instead of a useful answer.
    public enum Fault: Sendable, Equatable {
        /// Nothing.
        case transport(HTTPError)
        /// A status that means "later"; `asked` is a `Retry-After` that is longer than the time allowed.
        case status(server: String, Int, asked: Duration? = nil)
        /// A status that means that a Bundle was not finished in time: 408, or a gateway's, such as 504.
        case unfinished(server: String, Int, isKeyOnly: Bool)
        /// A success without the outcome of each entry; with the numbers of entries if it answers a transaction.
        case noOutcome(server: String, entries: Int? = nil, of: Int = 0)
        /// An answer to a search that is not JSON.
        case garbled(server: String)
    }
}

extension DeliveryError: CustomStringConvertible {
    /// Where it is, what is wrong, and what to do next.
    public var description: String {
        switch self {
        case .notABundle(let path, let line):
            "\(path): line \(line): no Bundle of 'pghd convert' (expected one a line, with its key, of nothing but what that writes of one "
                + "patient): convert the export again"
        case .resourceInput(let path, let line):
            "\(path): line \(line): a resource alone (expected a Bundle with its key, a line each): convert the export again, "
                + "without --format resources"
        case .exportInput(let path):
            "\(path): an export (expected Bundles of 'pghd convert'): give what it wrote, or use 'pghd sync'"
        case .severalPatients(let path, let line):
            "\(path): line \(line): another patient than before (expected one): send each patient's Bundles on their own"
        case .severalForms(let path, let line):
            "\(path): line \(line): converted with --conditional, or without it, unlike the lines before (expected one form): "
                + "every resource would be stored a second time; convert all with the same options"
        case .noBundle(let path):
            "\(path): no Bundle (expected one a line): see what 'pghd convert' said; where it wrote none, there is nothing to send"
        case .givenIDs:
            "--api observations: the Bundles give ids, and this server gives its own (expected Bundles that create "
                + "by identifier): convert the export with --conditional"
        case .bodyKey: "bodyKey: another length (expected 32 bytes): take them from a keystore or a random generator"
        case .patientID:
            "the patient's id is not a FHIR id (expected 1 to 64 letters, digits, - or .): give the one that the patient has on "
                + "the server, such as p123"
        case .noPatient(let path):
            "\(path): no Bundle names a patient (expected one): give what 'pghd convert' wrote"
        case .damagedInput(let path):
            "\(path): its gzip is damaged, or cut off (expected all of it): copy it again, or convert the export again"
        case .damagedStream(let path):
            "\(path): its gzip is damaged, or cut off (expected all of it), and what was sent of it may be wrong: send it once "
                + "more from a file that is whole, which takes its place"
        case .foreignBundle(let path):
            "\(path): not the Bundle of its name, alone and whole (expected what 'pghd convert --split' wrote): copy the folder "
                + "again, or convert the export again"
        case .inputBusy(let path):
            "\(path): a run is writing it (expected none): wait for it to end"
        case .folderInput(let path, let file?):
            "\(path): a folder (expected a file of Bundles): send '\(path)/\(file)'"
        case .folderInput(let path, nil):
            "\(path): a folder without manifest.json (expected a file of Bundles, or all that 'pghd convert --split' wrote): "
                + "convert the export again; a run that was broken off has written no manifest"
        case .foreignManifest(let path):
            "\(path): not what 'pghd convert --split' writes (expected {\"bundles\":[\"KEY.json\",…]}): convert the export again"
        case .resourceFolderInput(let path):
            "\(path): files of resources (expected a file of Bundles): convert the export again, without --format resources"
        case .unreadableInput(let path, let reason):
            "\(path): cannot be read (\(reason)): give what 'pghd convert' wrote, or - for standard input"
        case .unreadableFolder(let path, let reason):
            "\(path): cannot be read (\(reason), expected what 'pghd convert --split' wrote): make it readable, or copy the folder "
                + "again"
        case .ledgerExposed(let path):
            "\(path): others than you may write to it (expected a folder that you alone can change, since they could read and "
                + "change what is kept there): run 'chmod go-w' on it if it is yours, or choose another with --ledger"
        case .ledgerMoved(let path):
            "\(path): was moved or removed while the run was at work (expected it where it was): put it back if you have it, or run "
                + "'pghd verify --rebuild', before the next run"
        case .ledgerUnwritable(let path, Self.notAFolder):
            "\(path): cannot be used (\(Self.notAFolder), expected a folder): check --ledger"
        case .ledgerUnwritable(let path, let reason):
            "\(path): cannot be read or written (\(reason)): make room, or make it writable, and run the command again; another "
                + "--ledger would know nothing of what was sent"
        case .ledgersUnreadable(let path):
            "\(path): cannot be listed (expected a folder of ledgers that is open to you): check --ledger"
        case .ledgerDamaged(let path):
            "\(path): damaged (expected a database), and put aside: run the command again, it begins a new one"
        case .ledgerLost(let path):
            "\(path): damaged (expected a database): run 'pghd verify --rebuild' with the same options, then go on"
        case .ledgerBusy(let path):
            "\(path): another run is at work, or a program has it open (expected none for this server and patient): "
                + "wait for it to end"
        case .ledgerMisplaced(let path): "\(path): \(Self.misplacement)"
        case .ledgerTooNew(let path, let version):
            "\(path): written by a later pghd (version \(version), expected \(LedgerSchema.version)): use that one"
        case .otherFingerprint(let what, let found, let expected): what.sentence(found: found, expected: expected)
        case .otherForm(true):
            "the ledger's resources have ids chosen by pghd (expected Bundles converted without --conditional): convert once more "
                + "without it; with it every resource could be stored a second time"
        case .otherForm(false):
            "the ledger's resources have ids of the server's (expected Bundles converted with --conditional): convert once "
                + "more with it; without it every resource would be stored a second time"
        case .otherPerson(let patientID):
            "--patient \(patientID): the export's birth date or sex differs from that of the exports before "
                + "(expected the same person's): check --patient, or add --confirm-patient"
        case .otherPatient(let patientID):
            "--patient \(patientID): the export's birth date or sex differs from that of the server's Patient "
                + "(expected the same person's): check --patient, or add --confirm-patient"
        case .otherExport(let patientID, let count):
            "--patient \(patientID): hardly any of the first \(count) samples of this export was delivered before (expected "
                + "some, as in every export of one person): nothing was sent; check --patient, or add --confirm-patient where it is "
                + "the same person's, such as from a new phone"
        case .tooManyDeletions(let offered, let allowed):
            "--delete: \(offered) resource\(offered == 1 ? "" : "s") would be marked as entered in error (expected at most "
                + "\(allowed)): none was; check the export, which may be another phone's or person's, or allow more with "
                + "--max-delete \(offered)"
        case .lost(let server, let count, let all):
            "\(server): \(count) of \(all) delivered resources that were looked for are gone (expected all): nothing was "
                + "sent; run 'pghd verify --rebuild' with the same options, then sync again"
        case .unknownResources(let server, let count):
            "\(server): has \(count) resource\(count == 1 ? "" : "s") of this patient that the ledger knows nothing of "
                + "(expected none): nothing was sent; run 'pghd verify --rebuild' with the same options and the whole export, "
                + "then sync again"
        case .strangers(let server, let count, let found):
            "\(server): has \(count) resource\(count == 1 ? "" : "s") of this patient that pghd made, of which "
                + "\(found == 0 ? "none is" : found == 1 ? "only 1 is" : "only \(found) are") in the export (expected most, or "
                + "most of the export's): nothing was sent, and the ledger is as it was; check --patient, --id-key and "
                + "--conditional, or add --confirm-patient if it is this patient's all the same"
        case .partialList(let server):
            "\(server): its list of this patient's resources can't be read to its end (expected a count, and page links "
                + "below this address): the ledger is as it was; ask the server's operator about Bundle.total and Bundle.link"
        case .otherMapping(let found, let expected):
            "the ledger says mapping \(expected), this is \(found) (expected the same): give the options that "
                + "sync was given; after an upgrade, run 'pghd sync --remap' first"
        case .unreadableServer(let url, 403):
            "\(url): answered 403 to a read (expected resources): sign in with scopes to read and search, "
                + "too, such as patient/*.crus, of a service system/*.crus; what can't be read can't be verified"
        case .unreadableServer(let url, let status):
            "\(url): answered \(status) to a read (expected resources, or an OperationOutcome): check the server and "
                + "what stands in front of it, and run the command again"
        case .unreachable(let fault, let seconds):
            fault.sentence(seconds)
        case .redirected(let url, let location):
            "\(url): the server redirects\(location.map { " to \($0)" } ?? "") (expected an answer): check --server; if "
                + "it has moved, give its new base"
        case .notAServer(let url, 200, _):
            "\(url): answered 200 with something else than FHIR in JSON (expected a FHIR server that takes transactions and "
                + "knows application/fhir+json): check --server"
        case .notAServer(let url, let status, isKeyOnly: true):
            "\(url): answered \(status) (expected an integration server): check --server, and leave --api observations out "
                + "for a FHIR server"
        case .notAServer(let url, let status, isKeyOnly: false):
            "\(url): answered \(status) (expected a FHIR server that takes transactions): check --server"
        case .gone(let url, let status):
            "\(url): answered \(status) after it took Bundles (expected a server that takes them): run the command again "
                + "when it is back"
        case .intercepted(let url, let status):
            "\(url): answered \(status), and not with FHIR (expected a FHIR server's answer): something in front of the server may "
                + "block the request, want a client certificate, which pghd can't give, or speak https alone; ask its "
                + "operator, and check --server"
        case .incapable(let server, let what, let next):
            "\(server): its CapabilityStatement says that it \(what) (expected one that does): \(next)"
        case .contrary(.otherIDs, let server):
            "\(server): its answer names other ids than it was sent (expected the same, entry by entry): if it chooses ids "
                + "itself, run 'pghd sync' with --conditional --remap; to send, convert with --conditional, and give another "
                + "--ledger"
        case .contrary(.otherOrder, let server):
            "\(server): its answer has the entries in another order (expected that of the Bundle, as R4 wants): see "
                + "'pghd verify', and choose a server that keeps it"
        case .contrary(.asynchronous, let server):
            "\(server): answered 202 and puts the Bundle off (expected a transaction-response): choose an address that answers "
                + "once it is done, and see 'pghd verify' for what was stored"
        case .contrary(.batch, let server):
            "\(server): ran a transaction as a batch (expected a transaction-response): links within the Bundle lead "
                + "nowhere there; see 'pghd verify', and choose a server that takes transactions"
        case .unauthorized(.missing, let server):
            "\(server): the server wants a sign-in (401): run 'pghd login --server \(server) --client-id ID', with the ID "
                + "that its operator has registered for pghd"
        case .unauthorized(.refused(nil), let server):
            "\(server): the server takes no token of this sign-in (401, expected those of its sign-in server): ask its "
                + "operator whether they are meant for this address, and what a gateway in front wants"
        case .unauthorized(.refused(let scheme?), let server):
            "\(server): the server takes no token of this sign-in (401, asks for '\(scheme)', expected Bearer): a gateway "
                + "in front may want a key or a password: ask its operator, and give it with --header-file"
        case .forbidden(let server, let mayBeBlocked):
            "\(server): this is not allowed (403, expected scopes to create and update): sign in with more, such as "
                + "--scope '… patient/Observation.crus patient/Device.crus' (of a service system/… in place of patient/…), "
                + "and patient/Patient.crus for --include-patient; docs/sign-in.md says what each is for"
                + (mayBeBlocked
                    ? "; or something in front of the server, whose answer is not FHIR, blocks the request: ask the operator, or "
                        + "try smaller Bundles, such as --max-bytes 100000" : "")
        case .tooManyRefusals(let refused, let count, let quarantine, let mayChooseIDs):
            "stopped once the server had refused \(refused) of \(count) entries (expected none): see \(quarantine) for its "
                + "reasons; those are not counted when the command is run again"
                + (mayChooseIDs ? "; where the server chooses ids itself, use --conditional" : "")
        case .patientMissing(let server, let patientID):
            "\(server): refused every entry, and has no Patient/\(patientID) (expected the patient whose data this is): "
                + "check --patient, or create the Patient there first"
        case .patientDeleted(let server, let patientID):
            "\(server): Patient/\(patientID) was deleted there (410, expected one whose data may be stored): nothing was sent; ask "
                + "its operator, and add --confirm-patient if it is to be stored all the same"
        case .patientUnreadable(let server, let patientID):
            "\(server): does not let Patient/\(patientID) be read (expected to learn whether it is there, since many a server "
                + "replaces it): sign in with scopes to read and create it, such as patient/Patient.crs, or send no Patient"
        case .idsRefused(let server):
            "\(server): refused every entry with 405 (expected a server that lets clients choose ids): use --conditional"
        case .interrupted: "interrupted: run the command again, nothing is sent twice"
        case .finished: "delivery: finished before (expected one for each run): make another"
        }
    }
}

extension DeliveryError.Fault {
    /// Why the run is waiting for the server, such as `answered 503`.
    func reason(isReached: Bool) -> String {
        switch self {
        case .transport(let error): "\(isReached ? "no connection" : "no connection yet") (\(error.reason))"
        case .status(_, let status, let asked?): "answered \(status) (asks to wait \(asked.components.seconds) s)"
        case .status(_, let status, nil): "answered \(status)"
        case .unfinished(_, let status, _): "answered \(status)"
        case .noOutcome: "answered without the outcome of each entry"
        case .garbled: "answered a search with no JSON"
        }
    }

    /// The message, after so many seconds.
    ///
    /// The ledger has what is uncertain, so the same command continues where it stopped.
    fileprivate func sentence(_ seconds: Int) -> String {
        switch self {
        case .transport(let error): error.description
        case .status(let server, let status, let asked?):
            "\(server): answered \(status) and asks to wait \(asked.components.seconds) s (expected 200): "
                + "run the command again then, or wait longer with --retry-for"
        case .status(let server, let status, nil):
            "\(server): answered \(status) for \(seconds) s (expected 200): run the command again later"
        case .unfinished(let server, let status, let isKeyOnly):
            "\(server): answered \(status) for \(seconds) s (expected 200): run the command again later"
                + (isKeyOnly
                    ? "; what is on its way goes again as it is, what follows may be smaller (--max-entries 10)" : "")
        case .noOutcome(let server, let entries?, let count):
            "\(server): answered \(entries > count ? "too many" : "\(entries)") entries to \(count) "
                + "(expected one for each, in their order), tried for \(seconds) s: it is the server's fault; "
                + "see 'pghd verify' for what was stored"
        case .noOutcome(let server, nil, _):
            "\(server): no answer in \(seconds) s said what became of each entry (expected a transaction-response): "
                + "check --server, then run the command again"
        case .garbled(let server):
            "\(server): no answer to a search was JSON in \(seconds) s (expected a searchset): check what stands in front of the "
                + "server, then run the command again"
        }
    }
}
