internal import FHIRR4
internal import HTTPTransport
internal import OpenSSLCrypto
internal import Synchronization
internal import TransactionBundling

/// Whose export it is.
extension Delivery {
    /// Says whose export it is; to be called before the first Bundle.
    ///
    /// Each value is compared with the earlier exports that gave it, of which the ledger keeps keyed hashes, or else
    /// with the server's Patient, if there is one. Blocks.
    ///
    /// - Parameters:
    ///   - birthDate: such as `1980-02-29`.
    ///   - gender: FHIR's administrative gender, such as `female`.
    /// - Throws: ``DeliveryError/otherPerson(patientID:)``, ``DeliveryError/otherPatient(patientID:)``,
    ///   ``DeliveryError/patientDeleted(server:patientID:)``.
    package func noteOwner(birthDate: String?, gender: String?) throws {
        try state.checkUnfinished()
        guard birthDate != nil || gender != nil else { return }
        try checkBaseOnce()
        let digests = OwnerDigests(key: options.identityKey, salt: try ownerSalt())
        let given = [(LedgerProperty.ownerBirthDate, birthDate), (.ownerGender, gender)]
        var news: [LedgerProperty: String?] = [:]
        for case (let name, let value?) in given {
            let digest = digests.digest(value, name: name)
            let known = try ledger.property(name)
            if known == digest {
                // Half of all people have the same sex.
                if name == .ownerBirthDate { notes.withLock { $0.isOwnerKnown = true } }
                continue
            }
            guard known == nil || options.confirmsPatient else {
                throw DeliveryError.otherPerson(patientID: options.patientID)
            }
            news[name] = digest
        }
        // What could not be compared with the server's Patient is compared as soon as it can be.
        let isUncompared = try ledger.property(.ownerUncompared) != nil
        guard !news.isEmpty || isUncompared else { return state.count { $0.ownerComparison = .exports } }
        let isAnyKnown = news.count < given.count { $0.1 != nil }
        var comparison: OwnerComparison? = isAnyKnown ? .exports : .nothing
        if options.confirmsPatient {
            news[.ownerUncompared] = .some(nil)
            comparison = nil
        } else if let former = try ledger.property(.owner) {
            // An older ledger keeps one digest of both.
            guard digests.isFormer(former, birthDate: birthDate, gender: gender) else {
                throw DeliveryError.otherPerson(patientID: options.patientID)
            }
            comparison = .exports
        } else {
            let compared = try compareWithPatient(
                birthDate: isUncompared || news[.ownerBirthDate] != nil ? birthDate : nil,
                gender: isUncompared || news[.ownerGender] != nil ? gender : nil
            )
            // What an earlier export gave and this one does not is still to be compared.
            let isWhole = try given.allSatisfy { name, value in try value != nil || ledger.property(name) == nil }
            news[.ownerUncompared] = .some(compared != nil && (isWhole || !isUncompared) ? nil : "1")
            if !isAnyKnown { comparison = compared ?? .nothing }
        }
        state.count { $0.ownerComparison = comparison }
        news[.owner] = .some(nil)
        let former = try news.keys.map { ($0, try ledger.property($0)) }
        // An export may name its owner twice: what was known before the run is what counts.
        notes.withLock { $0.formerOwner.merge(former) { first, _ in first } }
        try ledger.setProperties(news)
    }

    private var patientDeleted: DeliveryError {
        .patientDeleted(server: options.server.description, patientID: options.patientID)
    }

    private func ownerSalt() throws -> String {
        if let salt = try ledger.property(.salt), !salt.isEmpty { return salt }
        let salt = try SecureRandom.bytes(32).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        try ledger.setProperties([.salt: salt])
        return salt
    }

    /// - Returns: `patient` if the server's Patient says anything to compare with, otherwise `nothing`; `nil` if the
    ///   server does not let it be read.
    private func compareWithPatient(birthDate: String?, gender: String?) throws -> OwnerComparison? {
        let patient: JSONValue
        switch try blocking({ [self] in try await ResourceReader(self).patient() }) {
        case .present(let found):
            notes.withLock { $0.hasPatient = true }
            patient = found
        case .absent:
            notes.withLock { $0.hasPatient = false }
            return .nothing
        // An erasure, or a withdrawn consent: anyone who stores more for that patient has to say so.
        case .deleted: throw patientDeleted
        case .untold: return nil
        }
        // A server may know only the year, or the month: `1980`, `1980-02`.
        let hasSameDate = birthDate.flatMap { ours in patient["birthDate"]?.string.map { ours.hasPrefix($0) } }
        // An unknown sex contradicts nobody.
        let hasSameGender = gender.flatMap { ours in
            patient["gender"]?.string.flatMap { $0 == "unknown" ? nil : ours == $0 }
        }
        if [hasSameDate, hasSameGender].contains(false) {
            throw DeliveryError.otherPatient(patientID: options.patientID)
        }
        return hasSameDate == nil && hasSameGender == nil ? .nothing : .patient
    }

    /// Leaves out a Patient that the server has: many servers replace it, whatever `ifNoneMatch` says.
    ///
    /// Costs one read in a run that would send a Patient.
    ///
    /// - Parameters:
    ///   - bundle: what was handed in.
    ///   - own: its members.
    ///   - verdict: what is to be sent; a Patient that is there counts as present.
    /// - Returns: the Patient among `own`, if the server has it.
    /// - Throws: ``DeliveryError/patientUnreadable(server:patientID:)``,
    ///   ``DeliveryError/patientDeleted(server:patientID:)``, or what keeps the server from answering.
    func leavePatient(
        of bundle: TransactionBundle,
        _ own: [BundleMember],
        _ verdict: inout Selection.Verdict
    ) throws -> [BundleMember] {
        // By identifier, it is created only where there is none; a key-only server has nothing to read.
        guard !bundle.isConditional, !options.isKeyOnly else { return [] }
        let patients = own.filter { $0.type == .patient && verdict.wanted.contains($0.id) }
        guard !patients.isEmpty else { return [] }
        switch try blocking({ [self] in try await ResourceReader(self).patient() }) {
        case .absent: return []
        case .deleted where options.confirmsPatient: return []
        case .deleted: throw patientDeleted
        case .untold:
            throw DeliveryError.patientUnreadable(server: options.server.description, patientID: options.patientID)
        case .present:
            verdict.wanted.removeAll { id in patients.contains { $0.id == id } }
            verdict.presentCount += patients.count
            return patients
        }
    }
}
