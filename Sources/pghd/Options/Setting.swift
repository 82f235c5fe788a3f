import Synchronization

/// What can be set once and for all: an option wins over the environment, which wins over the settings file.
///
///     try Setting.server.value(option)    // --server, else PGHD_SERVER, else "server" of config.json
///
/// None is a secret: a passphrase or token is never in an argument, a variable or a settings file.
enum Setting: String, CaseIterable {
    case server
    case patient
    case clientID = "clientId"
    case issuer
    case caFile
    case headerFile
    case keystore
    case passphraseFile
    case ledger
    case profiles
    case timeZone

    /// The value in effect; `nil` where it is set nowhere.
    ///
    /// - Throws: ``SettingsFileError`` where the settings file has to be read and can't be.
    func value(_ option: String?) throws(SettingsFileError) -> String? {
        if let option { return expanded(option) }
        guard let (value, origin) = try kept else { return nil }
        Self.origins.withLock { $0[self.option] = origin }
        return value
    }

    /// The value where no option is given, and where it was set: `PGHD_SERVER`, or `config.json: server`.
    var kept: (value: String, origin: String)? {
        get throws(SettingsFileError) {
            if let value = Environment[variable] { return (expanded(value), variable) }
            guard let value = try SettingsFile.standard.get()[self] else { return nil }
            return (value, "config.json: \(rawValue)")
        }
    }

    /// Replaces `~/` at the beginning of a path, as no shell does in a systemd unit or after an option's `=`.
    private func expanded(_ value: String) -> String {
        guard isPath, value.hasPrefix("~/"), let home = Environment["HOME"] else { return value }
        return home + value.dropFirst()
    }

    /// The name of its option, such as `--client-id`.
    private var option: String { "--" + variable.dropFirst(5).lowercased().replacing("_", with: "-") }

    /// Where settings were made that no option gave, by the names of their options.
    private static let origins = Mutex<[String: String]>([:])

    /// Keeps the value of an option that a sign-in for this run needs as well.
    func note(given value: String?) {
        if let value { Self.given.withLock { $0[option] = value } }
    }

    /// Such options, with their values.
    private static let given = Mutex<[String: String]>([:])

    /// `message` with the variable or the settings file in place of the option that it is about or tells to check,
    /// where the value came from there, and with this run's keystore and certificates in a command that signs in.
    ///
    ///     Setting.named(in: "--patient: this is not a FHIR id …")    // "PGHD_PATIENT: this is not a FHIR id …"
    ///     Setting.named(in: "…: check --passphrase-file")            // "…: check PGHD_PASSPHRASE_FILE"
    ///     Setting.named(in: "…: run 'pghd login --server URL'")      // "…: run 'pghd login --server URL --keystore k'"
    static func named(in message: String) -> String {
        let origins = Self.origins.withLock { $0 }
        let option = String(message.prefix { $0 != ":" && $0 != " " })
        let named = origins[option].map { $0 + message.dropFirst(option.count) } ?? message
        return completed(origins.reduce(named) { $0.replacing("check \($1.key)", with: "check \($1.value)") })
    }

    private static func completed(_ message: String) -> String {
        let parts = message.split(separator: "'pghd login --server ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let end = parts[1].firstIndex(of: "'") else { return message }
        let options = given.withLock { $0 }.sorted { $0.key < $1.key }.map { name, value in
            // A value that a shell would take apart is left to the reader.
            let isPlain = value.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
            return " \(name) \(isPlain ? value : "FILE")"
        }
        return "\(parts[0])'pghd login --server \(parts[1][..<end])\(options.joined())\(parts[1][end...])"
    }

    /// The name of its variable, such as `PGHD_CLIENT_ID`.
    var variable: String {
        "PGHD_" + rawValue.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }

    /// Whether it is the place of a file or a folder.
    var isPath: Bool {
        switch self {
        case .caFile, .headerFile, .keystore, .passphraseFile, .ledger, .profiles: true
        case .server, .patient, .clientID, .issuer, .timeZone: false
        }
    }
}
