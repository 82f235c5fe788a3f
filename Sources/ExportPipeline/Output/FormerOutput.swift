internal import Foundation
internal import Glibc

/// What the run before wrote into a folder whose manifest this run replaces: none of it may stay beside it.
///
/// Another patient's Bundles, or a type that this export has nothing of, would be taken for part of the output by
/// whoever takes all files of the folder. Of what the former `manifest.json` names, files with names of ours alone are
/// removed: `KEY.json`, `TYPE.ndjson`, with `.gz` or without.
struct FormerOutput {
    private var names: Set<String> = []

    /// What the manifest at `path` names; nothing where there is none.
    init(manifest path: String) {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return }
        let texts = bytes.split(separator: UInt8(ascii: "\"")).map { String(decoding: $0, as: UTF8.self) }
        names = Set(texts.filter(Self.isOurs))
    }

    /// This run has written a file of that name.
    mutating func note(_ name: String) { names.remove(name) }

    /// Removes the rest from `folder`.
    func remove(from folder: String) {
        for name in names { unsafe unlink(folder + "/" + name) }
    }

    private static func isOurs(_ name: String) -> Bool {
        var name = name[...]
        if name.hasSuffix(".gz") { name = name.dropLast(3) }
        if name.hasSuffix(".json") {
            let key = name.dropLast(5)
            return key.utf8.count == 64 && key.allSatisfy { $0.isHexDigit }
        }
        let type = name.dropLast(7)
        return name.hasSuffix(".ndjson") && !type.isEmpty && type.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
