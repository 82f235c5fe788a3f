internal import Glibc
internal import OpenSSLCrypto

/// Asks for a passphrase at the controlling terminal, with its echo turned off meanwhile and on again afterwards, even
/// if a signal comes.
///
/// A job in the background is stopped until the shell brings it to the foreground, like any job that reads from a
/// terminal.
///
/// Source: termios(3), "Job control"; readpassphrase(3) of OpenBSD for what signals should do.
enum PassphraseTerminal {
    private static let path = "/dev/tty"

    /// The line that is typed, without its end.
    static func ask(_ question: String) throws(KeystoreError) -> SecretBytes {
        guard let terminal = unsafe FileDescriptor(open(path, O_RDWR | O_CLOEXEC)) else {
            let hasDescriptors = ![EMFILE, ENFILE].contains(errno)
            throw hasDescriptors ? .passphrase(.noTerminal) : .file(path: path, .system("open", errno))
        }
        while true {
            var line = try PassphraseFile.newBuffer()
            let answer = try read(question, terminal, into: &line)
            switch answer {
            case .bytes(let count): return try PassphraseFile.passphrase(line, count)
            case .signal(let number):
                // Now that the terminal is as it was before, the signal does what it would have done.
                raise(again: number)
                // SIGTSTP: it was stopped and continued. Anything else has ended the process, or is to end this.
                guard number == SIGTSTP else { throw .passphrase(.interrupted) }
            }
        }
    }

    private enum Answer {
        case bytes(Int)
        case signal(Int32)
    }

    private static func read(
        _ question: String,
        _ terminal: borrowing FileDescriptor,
        into line: inout SecretBytes
    ) throws(KeystoreError) -> Answer {
        guard let signals = SignalPipe() else { throw .file(path: path, .system("pipe", errno)) }
        // Where they are blocked, the system treats a background job as one that may change the terminal.
        var mask = unblock(SIGTTIN, SIGTTOU)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
        // Returns once this job is in the foreground: before that, the settings are those of the shell's line editor.
        guard tcflush(terminal.number, TCIFLUSH) == 0 else { throw .passphrase(.noTerminal) }
        var settings = termios()
        guard unsafe tcgetattr(terminal.number, &settings) == 0 else { throw .passphrase(.noTerminal) }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        // What was typed before the question is discarded: it was not meant for it.
        guard unsafe tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0 else { throw .passphrase(.noTerminal) }
        defer {
            unsafe tcsetattr(terminal.number, TCSAFLUSH, &settings)
            // The line end that was typed was not shown.
            _ = terminal.write([UInt8(ascii: "\n")])
        }
        _ = terminal.write(Array(question.utf8))
        if let number = signals.waitForInput(of: terminal) { return .signal(number) }
        // One read gives one line.
        let count = unsafe line.withMutableBytes { unsafe Glibc.read(terminal.number, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .passphrase(.noTerminal) }
        guard count > 0 else { return .bytes(0) }
        let endsLine = unsafe line.withBytes { unsafe $0[count - 1] == UInt8(ascii: "\n") }
        return .bytes(endsLine ? count - 1 : count)
    }

    /// Raises a signal in this thread, so that it has taken effect when the call returns.
    private static func raise(again number: Int32) {
        var mask = unblock(number)
        pthread_kill(pthread_self(), number)
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Lets signals through to this thread, for which `OwnThread` blocks all.
    ///
    /// - Returns: the previous mask.
    private static func unblock(_ numbers: Int32...) -> sigset_t {
        var signals = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &previous)
        return previous
    }
}
