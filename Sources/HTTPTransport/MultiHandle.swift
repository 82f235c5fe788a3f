internal import CCurl
internal import Glibc

/// Owns libcurl's multi handle.
///
/// The loop's thread alone uses it, but for `wakeUp`, which libcurl allows from any thread; the
/// last to let go cleans it up.
@safe
final class MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    /// Whether a sleep ends by `wakeUp`: not where there were no descriptors for that.
    private let canWake: Bool

    init() {
        _ = Self.isLibraryReady
        guard let handle = unsafe pghd_multi_init() else { preconditionFailure("libcurl has no memory") }
        unsafe self.handle = handle
        canWake = unsafe pghd_multi_wakeup(handle) == CURLM_OK
    }

    deinit { unsafe pghd_multi_cleanup(handle) }

    /// Before any other call, once in a process.
    private static let isLibraryReady: Bool = {
        // libcurl would write the secrets of each connection there, and with them every token to whoever recorded it.
        unsafe unsetenv("SSLKEYLOGFILE")
        return pghd_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    func wakeUp() { unsafe pghd_multi_wakeup(handle) }

    /// Waits for a byte, a timer or a wake-up.
    ///
    /// - Parameter isBusy: whether transfers are under way: libcurl sets no timer for trying a host's next address, but looks at the
    ///   time when it is asked to move on.
    func sleep(isBusy: Bool) { unsafe pghd_multi_poll(handle, canWake ? isBusy ? 1_000 : 60_000 : 20) }

    func add(_ easy: UnsafeMutableRawPointer) { unsafe pghd_multi_add_handle(handle, easy) }

    func remove(_ easy: UnsafeMutableRawPointer) { unsafe pghd_multi_remove_handle(handle, easy) }

    /// Moves what can be moved without waiting, and says which transfers have ended how.
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
