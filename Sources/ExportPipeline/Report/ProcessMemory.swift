internal import Glibc

/// What the operating system says about this process.
enum ProcessMemory {
    /// The most physical memory it has held, in bytes: `VmHWM` in `/proc/self/status`; 0 if that is not available.
    static var peakByteCount: UInt64 {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return (UInt64(text.filter(\.isNumber)) ?? 0) * 1024
        }
        return 0
    }
}
