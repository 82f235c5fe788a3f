import Glibc
import HTTPTransport
import Synchronization
import TestSupport
import Testing

struct DescriptorTests {
    @Test func `a connection that finds no free descriptor is reported as such`() async {
        await #expect(processExitsWith: .success) {
            let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:9/"), connection: .fresh)
            let client = try HTTPClient()
            // This loads libcurl, and a port without a listener is reported correctly.
            await #expect(throws: HTTPError.noConnection(origin: "http://127.0.0.1:9")) {
                try await client.send(request)
            }
            let free = dup(STDIN_FILENO)
            close(free)
            var limit = rlimit(rlim_cur: rlim_t(free), rlim_max: rlim_t(free))
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            do throws(HTTPError) {
                _ = try await client.send(request)
                _exit(3)
            } catch {
                _exit(error == .noDescriptor(origin: "http://127.0.0.1:9") ? 0 : 4)
            }
        }
    }

    /// A process has not loaded libcurl before its first address.
    @Test func `a process that can't load libcurl goes on, and may load it later`() async {
        await #expect(processExitsWith: .success) {
            let free = dup(STDIN_FILENO)
            close(free)
            var former = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &former)
            var limit = rlimit(rlim_cur: rlim_t(free), rlim_max: former.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            do throws(HTTPURLError) {
                _ = try HTTPURL("https://fhir.example.org/r4")
                _exit(3)
            } catch {
                guard case .noLibrary(let reason) = error, reason.contains("Too many open files") else { _exit(4) }
            }
            do throws(HTTPError) {
                _ = try HTTPClient()
                _exit(5)
            } catch {
                guard case .noLibrary = error else { _exit(6) }
            }
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &former)
            _ = try HTTPClient()
            _exit(try HTTPURL("https://fhir.example.org/r4").isSecure ? 0 : 7)
        }
    }

    @Test func `a program that this process starts inherits no connection`() async throws {
        let flags = Mutex<[Int32]>([])
        let server = try ScriptedServer { request in
            let port = request.headers["host"].flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) }
            let sockets = (0..<1024).filter { Self.peerPort(of: $0) == port }
            flags.withLock { $0 = sockets.map { fcntl($0, F_GETFD) } }
            return .response(200)
        }
        _ = try await HTTPClient().send(HTTPRequest(.get, HTTPURL(server.url + "/")))
        #expect(flags.withLock(\.self) == [FD_CLOEXEC])
    }

    /// The port at the other end of a socket's connection.
    private static func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getpeername(descriptor, address, &size) == 0
            }
        }
        return isConnected ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// libcurl would write each connection's secrets to it.
    @Test func `S21 a file for TLS secrets is not used`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("SSLKEYLOGFILE", "/dev/null", 1)
            _ = try? await HTTPClient().send(HTTPRequest(.get, try HTTPURL("http://127.0.0.1:9/"), connection: .fresh))
            _exit(unsafe getenv("SSLKEYLOGFILE") == nil ? 0 : 3)
        }
    }
}
