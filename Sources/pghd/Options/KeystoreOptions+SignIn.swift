import ArgumentParser
import CredentialStore
import HTTPTransport
import OpenIDConnect
import OpenSSLCrypto

/// What is kept for a server.
extension KeystoreOptions {
    /// The key that encrypts Bundles whose outcome at a key-only server is open; made when it is first needed.
    ///
    /// - Parameter isKept: whether a new one goes into the keystore: nothing of a dry run is kept.
    /// - Returns: 32 bytes.
    /// - Throws: what keeps the keystore from being opened or written.
    func bodyKey(isKept: Bool) async throws -> [UInt8] {
        let store = try open()
        // Most runs find one, and need neither the keystore's lock nor space on its disk.
        if let key = try await store.entry("ledger") { return key }
        guard isKept else { return try SecureRandom.bytes(32) }
        return try await store.update("ledger") { entry in
            if let entry { return entry }
            let key = try SecureRandom.bytes(32)
            entry = key
            return key
        }
    }

    /// The sign-in to `server`; `nil` where nobody is signed in there.
    ///
    /// - Parameters:
    ///   - server: the FHIR base.
    ///   - needsKeystore: whether the run opens the keystore even without a sign-in.
    /// - Returns: what is kept of it.
    /// - Throws: what keeps the keystore from being read.
    func signIn(at server: HTTPURL, needsKeystore: Bool) async throws -> Credential? {
        guard try isThere else { return nil }
        let credential = try await credential(of: server, in: try open(), needsKeystore: needsKeystore)
        return credential?.tokens == nil ? nil : credential
    }

    /// What is kept of the sign-in to `server`, for a command that may not need one.
    private func credential(
        of server: HTTPURL,
        in store: Keystore,
        needsKeystore: Bool
    ) async throws -> Credential? {
        do {
            return try await StoredSignIns.credential(of: server, in: store)
        } catch {
            if !needsKeystore, case KeystoreError.passphrase(.noTerminal) = error {
                Self.noteMissing(
                    "--no-sign-in: not given (expected where the server wants no sign-in): with it no passphrase is needed"
                )
            }
            throw error
        }
    }

    /// The token of the sign-in to `server`; `nil` where nobody is signed in there.
    ///
    /// - Parameters:
    ///   - server: the FHIR base.
    ///   - client: sends requests.
    ///   - needsKeystore: whether the run opens the keystore even without a sign-in.
    ///   - check: looks at the sign-in before anything is sent with it.
    /// - Returns: what adds the token.
    /// - Throws: what keeps the keystore from being read, what `check` throws, and `ValidationError` if somebody else
    ///   signs in meanwhile.
    func authorizer(
        for server: HTTPURL,
        client: HTTPClient,
        needsKeystore: Bool,
        check: @escaping @Sendable (Credential) throws -> Void = { _ in }
    ) async throws -> (any RequestAuthorizer)? {
        guard try isThere else { return nil }
        let store = try open()
        guard let credential = try await credential(of: server, in: store, needsKeystore: needsKeystore) else {
            return nil
        }
        guard credential.tokens != nil else {
            let server = server.text
            Self.noteMissing(
                "\(server): was signed out of here (expected a sign-in): 'pghd login --server \(server)' signs in as "
                    + "before, without --client-id"
            )
            return nil
        }
        try check(credential)
        return AccessTokenSource(server: server, store: store, client: client) { later in
            try check(later)
            // Signing out removes who had signed in: that it is over is said elsewhere.
            guard later.tokens == nil || later.mayBeSame(as: credential) else {
                throw ValidationError(
                    "--server \(server): somebody else has signed in meanwhile (expected the person and the patient that the "
                        + "run began with): sign in as before and run the command again"
                )
            }
        }
    }
}

extension Credential {
    /// Whether two sign-ins may be one person's, for one patient or none; a renewal leaves all of it as it was.
    fileprivate func mayBeSame(as other: Credential) -> Bool {
        let identifiers = [subject?.identifier, other.subject?.identifier].compactMap(\.self)
        return issuer == other.issuer && subject?.patient == other.subject?.patient
            && (identifiers.count < 2 || identifiers[0].utf8.elementsEqual(identifiers[1].utf8))
    }
}
