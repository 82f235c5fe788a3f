import TestSupport

/// Servers that no program at hand can play.
extension TLSServers {
    /// Runs `body` with the port of a server that answers whatever comes first with this fatal TLS alert.
    func withAlert(_ number: UInt8, _ body: (UInt16) async throws -> Void) async throws {
        try await withProgram(["python3", "-c", Self.alert, "\(number)"], body)
    }

    private static let listen = """
        import socket, sys
        listener = socket.create_server(("127.0.0.1", 0))
        print("ACCEPT 127.0.0.1:%d" % listener.getsockname()[1], flush=True)

        """

    private static let alert =
        listen + """
            while True:
                client = listener.accept()[0]
                client.recv(65536)
                client.sendall(bytes([0x15, 3, 3, 0, 2, 2, int(sys.argv[1])]))
                client.close()
            """
}
