internal import Glibc

/// The files that Bundles are read from, one after the other: one alone, or those of a folder that `convert --split` has
/// written.
struct BundlePlaces {
    /// What they are in messages: the path that was given, `standard input` for `-`.
    let name: String
    /// In the order to send in.
    let paths: [String]

    /// Finds the files at `path`; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``; for a folder that is none of `--split`
    ///   ``DeliveryError/folderInput(path:file:)``, ``DeliveryError/resourceFolderInput(path:)`` or
    ///   ``DeliveryError/foreignManifest(path:)``.
    init(path: String) throws(DeliveryError) {
        name = path == "-" ? "standard input" : path
        var status = stat()
        guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            paths = [path]
            return
        }
        // What `convert --format resources` has written has a manifest too.
        guard Self.first(of: ["Observation.ndjson", "Observation.ndjson.gz"], in: path) == nil else {
            throw .resourceFolderInput(path: path)
        }
        guard Self.first(of: ["manifest.json"], in: path) != nil else {
            throw .folderInput(path: path, file: Self.first(of: ["bundles.ndjson", "bundles.ndjson.gz"], in: path))
        }
        paths = try Self.names(manifest: path + "/manifest.json").map { path + "/" + $0 }
    }

    private static func first(of names: [String], in folder: String) -> String? {
        names.first { unsafe access(folder + "/" + $0, F_OK) == 0 }
    }

    /// How large all are together; `nil` where nobody knows.
    var totalByteCount: UInt64? {
        var total: UInt64 = 0
        for path in paths {
            var status = stat()
            guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            total += UInt64(status.st_size)
        }
        return total
    }

    /// Finds out that each can be read, and that what is packed is whole, before anything of them is sent: gzip tells at its
    /// end alone that what came before is not what was packed.
    ///
    /// Costs a look at every file, and unpacking those that are gzip's. A pipe can be read once, and is not checked.
    ///
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``, ``DeliveryError/damagedInput(path:)``,
    ///   ``DeliveryError/interrupted``.
    func check(_ isStopped: () -> Bool) throws(DeliveryError) {
        var room = [UInt8](repeating: 0, count: 1 << 18)
        for path in paths where path != "-" {
            if isStopped() { throw .interrupted }
            let input = try InputBytes(path: path)
            guard input.totalByteCount != nil else { continue }
            var count: Int
            repeat {
                if isStopped() { throw .interrupted }
                count = try input.read(into: &room, at: 0, isStopped)
            } while count > 0 && input.isPacked
        }
    }

    /// What a manifest of `--split` names: files beside it, of names that `convert` gives.
    private static func names(manifest path: String) throws(DeliveryError) -> [String] {
        let bytes = try contents(of: path)
        var names: [String]?
        do throws(JSONFault) {
            var scanner = JSONScanner(bytes)
            try scanner.readMember("bundles") { (scanner) throws(JSONFault) in
                var found: [String] = []
                try scanner.readList { (scanner) throws(JSONFault) in found.append(try scanner.readString()) }
                names = found
            }
            guard scanner.isAtEnd() else { throw JSONFault(byte: scanner.position) }
        } catch {
            throw .foreignManifest(path: path)
        }
        guard let names, names.allSatisfy(isOurs) else { throw .foreignManifest(path: path) }
        return names
    }

    /// `KEY.json` or `KEY.json.gz`: nothing that leads out of the folder.
    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["json", "json.gz"].contains(parts[1]) else { return false }
        return parts[0].utf8.count == 64 && parts[0].utf8.allSatisfy { $0.isLowercaseHex }
    }

    private static func contents(of path: String) throws(DeliveryError) -> [UInt8] {
        let input = try InputBytes(path: path)
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try input.read(into: &room, at: 0) { false }
            guard count > 0 else { return bytes }
            bytes += room[..<count]
        }
    }
}
