import Glibc
import Synchronization
import Testing

@testable import CredentialStore

/// Signals that come while a passphrase is asked for; Tests/Keystore sends them to a terminal's prompt.
struct SignalPipeTests {
    private static let count = Atomic(0)

    @Test func `a signal that comes after the answer goes to whoever caught it before`() {
        let former = signal(SIGQUIT) { _ in SignalPipeTests.count.add(1, ordering: .relaxed) }
        defer { signal(SIGQUIT, former) }
        // The threads of Swift's pool block signals.
        var mask = sigset_t()
        var formerMask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe sigaddset(&mask, SIGQUIT)
        unsafe pthread_sigmask(SIG_UNBLOCK, &mask, &formerMask)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &formerMask, nil) }
        for number in 1...3 {
            catchOne()
            // It is raised again for the process, so another thread may take it.
            for _ in 0..<10_000 where Self.count.load(ordering: .relaxed) < number { usleep(1000) }
            #expect(Self.count.load(ordering: .relaxed) == number)
        }
    }

    private func catchOne() {
        guard let signals = SignalPipe() else {
            Issue.record("no pipe")
            return
        }
        let before = Self.count.load(ordering: .relaxed)
        pthread_kill(pthread_self(), SIGQUIT)
        #expect(Self.count.load(ordering: .relaxed) == before)
        withExtendedLifetime(signals) {}
    }
}
