internal import FHIRR4
internal import HTTPTransport
internal import Synchronization

extension Poster {
    /// Throws if an address is not a FHIR base, where its `/metadata` was not a CapabilityStatement.
    ///
    ///     GET Observation?_summary=count
    ///
    /// It makes one search, which names no person. In FHIR a search answers 404 only where the address is not a FHIR
    /// base or the type is unknown.
    ///
    /// - Throws: ``DeliveryError/notAServer(url:status:)``, ``DeliveryError/intercepted(url:status:)``,
    ///   ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    ///
    /// Source: <https://hl7.org/fhir/R4/http.html#search>.
    func checkBase() async throws {
        guard options.capabilities.isMissing else { return }
        let url = try HTTPURL("\(options.server.text)/Observation?_summary=count")
        let response = try await send(
            .reading(url, limits: ResourceLookup.limits),
            maximumFailureCount: ResourceLookup.maximumFailureCount
        )
        switch response.status {
        case 200 where JSONValue(beginning: response.body)?["resourceType"]?.string != nil: return
        case 200, 404: throw DeliveryError.notAServer(url: options.server.description, status: response.status)
        // A gateway of an integration server may route posts alone, and forbid all else.
        case 400 where response.isPage, 403 where response.isPage && !options.isKeyOnly:
            throw DeliveryError.intercepted(url: options.server.description, status: response.status)
        default: return
        }
    }
}

extension Delivery {
    /// Refuses an address that is not a FHIR base, before any other request is sent there.
    ///
    /// Not checked where the ledger knows of deliveries: then a proxy may be answering in the server's place for a
    /// while.
    ///
    /// - Throws: as `Poster.checkBase()`.
    func checkBaseOnce() throws {
        guard notes.withLock({ $0.noteFirst(\.isBaseChecked) }), try ledger.isBlank() else { return }
        try blocking { [poster] in try await poster.checkBase() }
    }
}

extension Verification {
    /// As `Delivery.checkBaseOnce()`, for a comparison.
    ///
    /// - Throws: as `Poster.checkBase()`.
    func checkBaseOnce() throws {
        let isFirst = isBaseChecked.withLock { isChecked in
            defer { isChecked = true }
            return !isChecked
        }
        let path = LedgerSummary.path(of: options.server, patientID: options.patientID, in: options.ledgerFolder)
        // A ledger that can't be read may know of deliveries.
        guard isFirst, case .success(let ledger) = Result(catching: { try LedgerSummary.read(path) }),
            ledger?.isBlank ?? true
        else { return }
        try blocking { [lookup] in try await lookup.poster.checkBase() }
    }
}

extension LedgerSummary {
    /// Whether it knows of no resource and of no Bundle.
    fileprivate var isBlank: Bool {
        liveCount + refusedCount + uncertainCount + enteredInErrorCount + openBundleCount == 0
    }
}
