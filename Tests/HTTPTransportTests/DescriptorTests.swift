import Glibc
import HTTPTransport
import Testing

struct DescriptorTests {
    @Test func `a connection that finds no free descriptor is reported as such`() async {
        await #expect(processExitsWith: .success) {
            let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:9/"), connection: .fresh)
            let client = HTTPClient()
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

    /// libcurl would write each connection's secrets to it.
    @Test func `S21 a file for TLS secrets is not used`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("SSLKEYLOGFILE", "/dev/null", 1)
            _ = try? await HTTPClient().send(HTTPRequest(.get, try HTTPURL("http://127.0.0.1:9/"), connection: .fresh))
            _exit(unsafe getenv("SSLKEYLOGFILE") == nil ? 0 : 3)
        }
    }
}
