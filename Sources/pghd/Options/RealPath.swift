import FileOutput
import Glibc

/// Places without links and detours.
enum RealPath {
    /// Whether a file at `path`, there or yet to be made, lies in `folder` or in one below it.
    static func lies(_ path: String, below folder: String) -> Bool {
        guard let folder = of(folder) else { return false }
        var place = (try? PartFile.place(of: path)) ?? path
        repeat {
            place = place.lastIndex(of: "/").map { place[..<$0].isEmpty ? "/" : String(place[..<$0]) } ?? "."
        } while of(place) == nil && place != "." && place != "/"
        return of(place).map { "\($0)/".hasPrefix(folder == "/" ? "/" : "\(folder)/") } ?? false
    }

    /// The path within `folder` of a file that is there; `nil` where it lies elsewhere.
    static func member(_ path: String, of folder: String) -> String? {
        guard FileKind(of: path) == .file, let file = of(path), let folder = of(folder) else { return nil }
        let start = folder == "/" ? folder : folder + "/"
        return file.hasPrefix(start) ? String(file.dropFirst(start.count)) : nil
    }

    /// The same place; `nil` where it is not there.
    private static func of(_ path: String) -> String? {
        guard let bytes = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(bytes) }
        return unsafe String(cString: bytes)
    }
}
