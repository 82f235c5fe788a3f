import FileOutput
import Glibc

/// Paths without links and detours.
enum RealPath {
    /// Whether a file at `path`, whether it exists or not, lies in `folder` or in one below it.
    static func lies(_ path: String, below folder: String) -> Bool { member(path, of: folder) != nil }

    /// Whether both exist, and are the same place.
    static func isSame(_ path: String, as other: String) -> Bool { of(path).map { $0 == of(other) } ?? false }

    /// The path within `folder` of a file, whether it exists or not; `nil` where it lies elsewhere.
    static func member(_ path: String, of folder: String) -> String? {
        guard let folder = of(folder) else { return nil }
        var place = (try? PartFile.place(of: path)) ?? path
        var names: [Substring] = []
        var real = of(place)
        while real == nil, place != ".", place != "/" {
            let cut = place.lastIndex(of: "/")
            names.insert(place[(cut.map { place.index(after: $0) } ?? place.startIndex)...], at: 0)
            place = cut.map { place[..<$0].isEmpty ? "/" : String(place[..<$0]) } ?? "."
            real = of(place)
        }
        guard let real else { return nil }
        let start = folder == "/" ? folder : folder + "/"
        let file = ([real == "/" ? "" : real] + names.map(String.init)).joined(separator: "/")
        return file.hasPrefix(start) ? String(file.dropFirst(start.count)) : nil
    }

    /// The real path; `nil` where nothing is there.
    private static func of(_ path: String) -> String? {
        guard let bytes = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(bytes) }
        return unsafe String(cString: bytes)
    }
}
