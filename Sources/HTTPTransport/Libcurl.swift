internal import CCurl
internal import Synchronization

/// The library that reads URLs and sends requests, loaded when it is first needed.
enum Libcurl {
    private static let isLoaded = Atomic(false)

    /// Loads it.
    ///
    /// - Returns: why it can't be used, in the system's words; `nil` where it can. A later call may succeed, such as
    ///   once the process has file descriptors again.
    static func load() -> String? {
        if isLoaded.load(ordering: .acquiring) { return nil }
        if let reason = unsafe pghd_load_curl() { return unsafe String(cString: reason) }
        isLoaded.store(true, ordering: .releasing)
        return nil
    }

    /// What to say where it can't be used.
    static func sentence(_ reason: String) -> String {
        "libcurl.so.4: can't be loaded (\(reason)): install the package libcurl4, version 7.78 or later, or give this process "
            + "what it lacks"
    }
}
