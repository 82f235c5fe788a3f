internal import OpenSSLCrypto
public import OpenIDConnect
internal import Synchronization
internal import Threads

/// One encrypted file with an entry for each server: `~/.local/share/pghd/keystore`.
///
/// The passphrase becomes a key by scrypt (128 MiB, about 0.4 s) once for each object of this type, when it is first
/// needed: share one object, as an `HTTPClient`. Then the passphrase is wiped, and the key is kept as long as the
/// object is.
///
/// A write replaces the file as a whole, and is on disk before the call returns. A process notices if an older copy of
/// the file is put back; one that starts afterwards can't.
///
/// Source: docs/formats.md for the bytes; scrypt is RFC 7914, AES-256-GCM is NIST SP 800-38D.
public final class Keystore: TokenStore {
    private let folder: KeystoreFolder
    private let source: PassphraseSource
    private let sharedKey: SharedKey?
    private let opening = Mutex(Opening())

    private struct Opening {
        var key: Task<KeystoreKey, any Error>?
        var counter: UInt64 = 0
    }

    /// A keystore at `path`, which is not touched yet.
    ///
    /// - Parameters:
    ///   - path: the file, such as `/home/anna/.local/share/pghd/keystore`; its folder is made when it is first locked,
    ///     and must be accessible to its owner alone.
    ///   - passphrase: where the passphrase comes from when it is needed.
    public convenience init(path: String, passphrase: PassphraseSource) {
        self.init(path: path, passphrase: passphrase, sharedKey: nil)
    }

    /// The same, for a process that shares its key with others.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - passphrase: where the passphrase comes from when it is needed.
    ///   - sharedKey: where the key may be already, and is kept for later processes.
    package init(path: String, passphrase: PassphraseSource, sharedKey: SharedKey?) {
        folder = KeystoreFolder(path: path)
        source = passphrase
        self.sharedKey = sharedKey
    }

    /// Gets the passphrase and derives the key now, so that a person is asked before a sign-in and not after it.
    ///
    /// Where there is no keystore, it checks that one can be made; the first entry makes it.
    ///
    /// - Throws: ``KeystoreError``, such as a wrong passphrase.
    package func unlock() async throws {
        if try await read() != nil { return }
        let lock = try await KeystoreLock.acquire(in: folder)
        defer { lock.release() }
        if try await read() == nil {
            try await replacing(under: lock) { _ in _ = try await key(for: nil) }
        }
    }

    /// The names of all entries, sorted; none where there is no keystore, without asking for a passphrase.
    ///
    /// - Throws: ``KeystoreError`` where it can't be opened.
    public func names() async throws -> [String] {
        try await read()?.entries.names ?? []
    }

    /// An entry as it is in the file now; `nil` where there is none.
    ///
    /// It takes no lock.
    ///
    /// - Throws: ``KeystoreError`` where it can't be opened.
    public func entry(_ name: String) async throws -> [UInt8]? {
        try await read()?.entries[name]
    }

    /// Changes one entry while no other process changes any: ``TokenStore/update(_:isRemoval:_:)``.
    ///
    /// - Throws: what `body` throws, ``KeystoreError``, or a cancellation while it waits for the lock.
    public func update<Result: Sendable>(
        _ name: String,
        isRemoval: Bool = false,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result {
        // Before the lock: others need not wait for a person or a key derivation, unless there is no keystore yet.
        _ = try await read()
        let lock = try await KeystoreLock.acquire(in: folder)
        defer { lock.release() }
        let stored = try await read()
        // Not after the body, which may request what can't be had again.
        if stored == nil { _ = try await key(for: nil) }
        var entries = stored?.entries ?? KeystoreEntries()
        var entry = entries[name]
        let byteCount = stored?.byteCount ?? 0
        guard isRemoval || byteCount + Self.roomByteCount <= KeystoreFile.maximumByteCount else {
            throw KeystoreError.file(path: folder.path, .full)
        }
        return try await replacing(under: lock, isNeeded: !isRemoval) { room in
            let result = try await body(&entry)
            if entry != entries[name] {
                entries[name] = entry
                try room.get()
                try await write(entries, key: try await key(for: nil), after: stored?.counter ?? 0, under: lock)
            }
            return result
        }
    }

    /// Encrypts everything under a key from another passphrase and replaces the file.
    ///
    /// Copies in backups, snapshots and free blocks of the disk still open with the old one: a token that somebody may
    /// have copied has to be revoked (`pghd logout`).
    ///
    /// - Throws: ``KeystoreError``; `.missing` where there is no keystore yet.
    package func changePassphrase(to source: PassphraseSource) async throws {
        guard try await read() != nil else { throw KeystoreError.missing(path: folder.path) }
        let key = try await OwnThread.run { () throws(KeystoreError) in
            let passphrase = try Self.newPassphrase(from: source)
            return try placing(self.folder.path) { () throws(KeystoreFault) in
                try KeystoreKey.derive(from: passphrase)
            }
        }
        let lock = try await KeystoreLock.acquire(in: folder)
        defer { lock.release() }
        guard let stored = try await read() else { throw KeystoreError.missing(path: folder.path) }
        try await replacing(under: lock) { _ in
            try await write(stored.entries, key: key, after: stored.counter, under: lock)
        }
        opening.withLock { $0.key = Task { key } }
    }

    private static func newPassphrase(from source: PassphraseSource) throws(KeystoreError) -> SecretBytes {
        do throws(KeystoreError) {
            return try source.read(.making)
        } catch {
            if case .passphrase(let fault) = error { throw .newPassphrase(fault) }
            throw error
        }
    }
}

extension Keystore {
    private struct Stored: Sendable {
        var entries: KeystoreEntries
        var counter: UInt64
        var byteCount: Int
    }

    /// What the file holds now; `nil` where there is none.
    private func read() async throws -> Stored? {
        let folder = folder
        // The counter from before the file is read: another task may replace the file while this one decrypts.
        let known = opening.withLock { $0.counter }
        let bytes = try await OwnThread.run { () throws(KeystoreError) in try folder.read() }
        guard let bytes else { return nil }
        let file = try placing(folder.path) { () throws(KeystoreFault) in try KeystoreFile(parsing: bytes) }
        let key = try await key(for: file.derivation)
        return try placing(folder.path) { () throws(KeystoreFault) in
            let entries = try file.entries(key: key)
            guard file.counter >= known else { throw .rolledBack }
            opening.withLock { $0.counter = max($0.counter, file.counter) }
            return Stored(entries: entries, counter: file.counter, byteCount: bytes.count)
        }
    }

    /// How much the file may grow at once.
    private static let roomByteCount = 64 << 10

    /// Runs `body` with room on the disk for the file that it may write; where room is not needed, a lack of it is
    /// passed to `body` as an error.
    private func replacing<Output>(
        under lock: KeystoreLock,
        isNeeded: Bool = true,
        _ body: (Result<Void, any Error>) async throws -> Output
    ) async throws -> Output {
        let folder = folder
        let room: Result<Void, any Error>
        do {
            let byteCount = isNeeded ? Self.roomByteCount : 0
            room = .success(
                try await OwnThread.run { () throws(KeystoreError) in try folder.prepare(byteCount, under: lock) }
            )
        } catch {
            guard !isNeeded else { throw error }
            room = .failure(error)
        }
        do {
            let result = try await body(room)
            folder.abandon(under: lock)
            return result
        } catch {
            folder.abandon(under: lock)
            throw error
        }
    }

    private func write(
        _ entries: KeystoreEntries,
        key: KeystoreKey,
        after counter: UInt64,
        under lock: KeystoreLock
    ) async throws {
        let folder = folder
        // The result of a renewal can't be had again.
        try await OwnThread.runAnywhere { () throws(KeystoreError) in
            let bytes = try placing(folder.path) { () throws(KeystoreFault) in
                try KeystoreFile.bytes(of: entries, key: key, counter: counter + 1)
            }
            try folder.replace(with: bytes, under: lock)
        }
        opening.withLock { $0.counter = counter + 1 }
    }

    /// The key, derived once: for the file that is there, or for a new one.
    private func key(for derivation: KeyDerivation?) async throws -> KeystoreKey {
        while true {
            let task = opening.withLock { opening in
                if let key = opening.key { return key }
                let key = Task { try await self.deriveKey(for: derivation) }
                opening.key = key
                return key
            }
            do {
                let key = try await task.value
                guard let derivation, key.derivation != derivation, isOfNoFile else { return key }
                // Another process has made the keystore that this key was for: its file's own key takes its place.
                forget(task)
            } catch {
                // A program that keeps running may try again.
                forget(task)
                throw error
            }
        }
    }

    /// Whether this process has neither read nor written a keystore yet.
    private var isOfNoFile: Bool { opening.withLock { $0.counter == 0 } }

    private func forget(_ key: Task<KeystoreKey, any Error>) {
        opening.withLock { if $0.key == key { $0.key = nil } }
    }

    private func deriveKey(for derivation: KeyDerivation?) async throws(KeystoreError) -> KeystoreKey {
        let (source, sharedKey) = (source, sharedKey)
        return try await OwnThread.run { () throws(KeystoreError) in
            let shared = try placing(self.folder.path) { () throws(KeystoreFault) in
                try derivation.flatMap { (wanted) throws(KeystoreFault) in try sharedKey?.key(for: wanted) }
            }
            if let shared { return shared }
            let passphrase = try source.read(derivation == nil ? .making : .opening)
            let key = try placing(self.folder.path) { () throws(KeystoreFault) in
                guard let derivation else { return try KeystoreKey.derive(from: passphrase) }
                return try KeystoreKey.derive(derivation, from: passphrase)
            }
            sharedKey?.keep(key)
            return key
        }
    }
}
