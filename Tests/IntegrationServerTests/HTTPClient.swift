import Foundation
import Glibc

@testable import IntegrationServer

/// A whole answer, as text.
struct HTTPAnswer: Equatable {
    let status: Int
    let head: String
    let body: String

    /// A header's value, or empty text.
    func header(_ name: String) -> String {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
        return line.map { $0.dropFirst(name.count + 1).trimmingSpaces } ?? ""
    }

    /// A member of a JSON body.
    func json(_ name: String) throws -> String {
        try JSONReader.read(Array(body.utf8))[name]?.string ?? ""
    }
}

/// Speaks HTTP byte by byte, so that a test can send what no HTTP library would.
struct HTTPClient: Sendable {
    let port: UInt16
    var headers: [String] = []

    func bearing(_ token: String) -> HTTPClient {
        var client = self
        client.headers.append("Authorization: Bearer \(token)")
        return client
    }

    func with(_ header: String) -> HTTPClient {
        var client = self
        client.headers.append(header)
        return client
    }

    func get(_ path: String) async throws -> HTTPAnswer { try await send("GET", path) }

    func post(_ path: String, _ body: String, type: String = "application/fhir+json") async throws -> HTTPAnswer {
        try await with("Content-Type: \(type)").send("POST", path, body)
    }

    func put(_ path: String, _ body: String) async throws -> HTTPAnswer {
        try await with("Content-Type: application/fhir+json").send("PUT", path, body)
    }

    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> HTTPAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let text = try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return Self.answer(text)
    }

    /// The first answer in `text`; status 0 if the connection ended without one.
    static func answer(_ text: String) -> HTTPAnswer {
        guard let end = text.range(of: "\r\n\r\n") else { return HTTPAnswer(status: 0, head: text, body: "") }
        let head = String(text[..<end.lowerBound])
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return HTTPAnswer(status: status, head: head, body: String(text[end.upperBound...]))
    }

    /// Sends bytes and reads to the end, on its own thread, since the server needs the pool's threads.
    ///
    /// `isHeldOpen` keeps the sending side open, like a client that sends nothing more.
    func exchange(_ text: String, repeating: Int = 1, isHeldOpen: Bool = true) async throws -> String {
        try await exchange(Array(repeating: text, count: repeating), isHeldOpen: isHeldOpen)
    }

    /// The same piece by piece, with a pause of `seconds` between pieces.
    func exchange(_ pieces: [String], pausing seconds: Double = 0, isHeldOpen: Bool = true) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try blockingExchange(pieces, seconds, isHeldOpen) })
            }
        }
    }

    private func blockingExchange(_ pieces: [String], _ pause: Double, _ isHeldOpen: Bool) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
        sending: for (index, piece) in pieces.enumerated() {
            if index > 0, pause > 0 { Thread.sleep(forTimeInterval: pause) }
            let bytes = Array(piece.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe Glibc.send(
                        descriptor,
                        buffer.baseAddress?.advanced(by: sent),
                        bytes.count - sent,
                        Int32(MSG_NOSIGNAL)
                    )
                }
                // The server may answer and stop reading before everything is sent.
                guard count > 0 else { break sending }
                sent += count
            }
        }
        if !isHeldOpen { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }
}
