import ExportPipeline
import FoundationEssentials
import Glibc

/// The settings file, `~/.config/pghd/config.json`: an object of strings.
///
///     {"server":"https://fhir.example.org/r4","clientId":"pghd","keystore":"~/keys/pghd"}
///
/// It is read the first time that neither an option nor the environment gives a setting that is needed.
struct SettingsFile {
    /// The most bytes that one may have; a larger file is not a settings file.
    static let maximumByteCount = 64 << 10

    /// The user's settings file; empty where there is none.
    static let standard: Result<SettingsFile, SettingsFileError> = Result { () throws(SettingsFileError) in
        guard let path else { return SettingsFile(values: [:]) }
        return try SettingsFile(path: path)
    }

    /// Where the user's settings file is or would be; `nil` where no home is known.
    static var path: String? {
        Environment.folder("XDG_CONFIG_HOME", orHome: ".config").map { "\($0)/pghd/config.json" }
    }

    private let values: [Setting: String]

    /// The value of a setting; `nil` where the file does not set it.
    subscript(_ setting: Setting) -> String? { values[setting] }

    private init(values: [Setting: String]) { self.values = values }

    /// Reads the file at `path`; a missing one sets nothing.
    init(path: String) throws(SettingsFileError) {
        guard let bytes = try Self.bytes(atPath: path) else {
            self.init(values: [:])
            return
        }
        let object: [String: Entry]
        do {
            object = try JSONDecoder().decode([String: Entry].self, from: Data(bytes))
        } catch {
            // A decoding error may quote what it could not read.
            throw SettingsFileError(path: path, fault: .notAnObject)
        }
        var values: [Setting: String] = [:]
        for (key, entry) in object.sorted(by: { $0.key < $1.key }) {
            guard let setting = Setting(rawValue: key) else {
                throw SettingsFileError(path: path, fault: Self.isSecret(key) ? .secret(key) : .unknown(key))
            }
            guard let text = entry.text, !text.isEmpty else {
                throw SettingsFileError(path: path, fault: .notText(key))
            }
            values[setting] = try setting.isPath ? Self.absolute(text, key: key, path: path) : text
        }
        self.init(values: values)
    }

    /// A value of the file; one that is not text is reported by name alone.
    private struct Entry: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    private static func bytes(atPath path: String) throws(SettingsFileError) -> [UInt8]? {
        let file: SmallFile
        do throws(SmallFile.Fault) {
            file = try SmallFile(path, maximumByteCount: maximumByteCount)
        } catch {
            switch error {
            case .system(ENOENT), .system(ENOTDIR): return nil
            default: throw SettingsFileError(path: path, fault: .unreadable(error.reason))
            }
        }
        // Whoever can change it says which server gets the data.
        guard !file.isChangeableByOthers else { throw SettingsFileError(path: path, fault: .changeable) }
        return file.bytes
    }

    /// Whether a key looks like that of a secret, which belongs in the keystore.
    private static func isSecret(_ key: String) -> Bool {
        let key = key.lowercased()
        return ["passphrase", "password", "secret", "token", "credential", "privatekey"].contains { key.contains($0) }
    }

    /// A path that means the same wherever the command is started.
    private static func absolute(_ text: String, key: String, path: String) throws(SettingsFileError) -> String {
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix("~/"), let home = Environment["HOME"] else {
            throw SettingsFileError(path: path, fault: .relative(key))
        }
        return home + text.dropFirst()
    }
}

/// Why a settings file can't be used; it holds none of the file's values.
struct SettingsFileError: Error, Equatable {
    let path: String
    let fault: Fault

    enum Fault: Equatable {
        case unreadable(String)
        case changeable
        case notAnObject
        case unknown(String)
        case notText(String)
        case relative(String)
        case secret(String)
    }
}

extension SettingsFileError: CustomStringConvertible {
    /// Where it is, what is wrong, and what to do next.
    var description: String {
        switch fault {
        case .unreadable(let reason):
            "\(path): can't be read (\(reason)): check the file and its permissions, and whose HOME this is"
        case .changeable:
            "\(path): others may change it (expected a file that only you or root can change, since it says where data goes): "
                + "run 'chmod go-w' on it if it is yours, else use a copy of your own"
        case .notAnObject:
            "\(path): not JSON of settings (expected an object such as {\"server\":\"https://…\"}): correct it"
        case .unknown(let key):
            "\(path): '\(key.shown)' is not a setting (expected \(Self.known)): correct or remove it"
        case .notText(let key):
            "\(path): '\(key.shown)' is not text (expected a string in quotes, not empty): correct it"
        case .relative(let key):
            "\(path): '\(key.shown)' is a relative path (expected one that begins with / or ~/): write it whole"
        case .secret(let key):
            "\(path): '\(key.shown)' would be a secret (expected none in this file): remove it and change that secret; "
                + "'pghd login' keeps tokens in the keystore; its passphrase comes from passphraseFile or the terminal"
        }
    }

    private static let known = Setting.allCases.map(\.rawValue).joined(separator: ", ")
}

extension String {
    /// A key as far as a message shows it.
    fileprivate var shown: String { String(prefix(40)).printable }
}
