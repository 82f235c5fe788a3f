internal import CCurl
internal import Glibc

/// Owns libcurl's multi handle.
///
/// Only the loop's thread uses it, except for `wakeUp`, which libcurl allows from any thread. The last owner to release
/// it cleans it up.
@safe
final class MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    /// Whether `wakeUp` can end a sleep: not where no file descriptors were left for that.
    private let canWake: Bool

    /// - Throws: ``HTTPError/noLibrary(reason:)``.
    init() throws(HTTPError) {
        if let reason = Libcurl.load() { throw .noLibrary(reason: reason) }
        _ = Self.isLibraryReady
        guard let handle = unsafe pghd_multi_init() else { preconditionFailure("libcurl has no memory") }
        unsafe self.handle = handle
        canWake = unsafe pghd_multi_wakeup(handle) == CURLM_OK
    }

    deinit { unsafe pghd_multi_cleanup(handle) }

    /// Initialises libcurl, once in a process and before any other call.
    private static let isLibraryReady: Bool = {
        // libcurl would write each connection's secrets to this file, and anyone who recorded the traffic could read
        // every token.
        unsafe unsetenv("SSLKEYLOGFILE")
        return pghd_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    func wakeUp() { unsafe pghd_multi_wakeup(handle) }

    /// Waits for a byte, a timer or a wake-up.
    ///
    /// - Parameter isBusy: whether transfers are under way. libcurl sets no timer for trying a host's next address; it
    ///   looks at the time only when it is asked to go on, so the sleep is then shorter.
    func sleep(isBusy: Bool) { unsafe pghd_multi_poll(handle, canWake ? isBusy ? 1_000 : 60_000 : 20) }

    func add(_ easy: UnsafeMutableRawPointer) { unsafe pghd_multi_add_handle(handle, easy) }

    func remove(_ easy: UnsafeMutableRawPointer) { unsafe pghd_multi_remove_handle(handle, easy) }

    /// Moves all data that can be moved without waiting, and returns the transfers that have ended with their results.
    func perform() -> [(ObjectIdentifier, CURLcode)] {
        var running: CInt = 0
        unsafe pghd_multi_perform(handle, &running)
        var ended: [(ObjectIdentifier, CURLcode)] = []
        var left: CInt = 0
        while let message = unsafe pghd_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            if let id = unsafe Transfer.id(of: easy) { ended.append((id, unsafe message.pointee.data.result)) }
        }
        return ended
    }
}
