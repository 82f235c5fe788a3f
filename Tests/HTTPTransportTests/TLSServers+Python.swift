import TestSupport

/// Servers that no program at hand can play.
extension TLSServers {
    /// Runs `body` with the port of a proxy over TLS that leads each CONNECT to one port of this machine.
    ///
    /// - Parameters:
    ///   - certificate: the name of its own; with `nil` it speaks without TLS, and answers a TLS handshake with 400, as
    ///     Squid does.
    ///   - port: where it leads to.
    ///   - authority: the name of the certificate that its clients' must be signed by; `nil` for none.
    ///   - version: the last version of TLS that it speaks, as Python calls it.
    ///   - body: what to run.
    /// - Throws: what `body` throws, or where the proxy can't be started.
    func withProxy(
        _ certificate: String?,
        to port: UInt16,
        clientsOf authority: String? = nil,
        version: String = "TLSv1_3",
        _ body: (UInt16) async throws -> Void
    ) async throws {
        let files = certificate.map { [folder.path("\($0).pem"), folder.path("\($0).key")] } ?? ["", ""]
        let authority = authority.map { folder.path("\($0).pem") } ?? ""
        let program = ["python3", "-c", Self.proxy, "\(port)"] + files + [authority, version]
        try await withProgram(program, body)
    }

    /// Runs `body` with the port of a server that answers whatever comes first with this fatal TLS alert.
    func withAlert(_ number: UInt8, _ body: (UInt16) async throws -> Void) async throws {
        try await withProgram(["python3", "-c", Self.alert, "\(number)"], body)
    }

    private static let listen = """
        import socket, ssl, sys, threading
        listener = socket.create_server(("127.0.0.1", 0))
        print("ACCEPT 127.0.0.1:%d" % listener.getsockname()[1], flush=True)

        """

    private static let proxy =
        listen + """
            port, certificate, key, authority, version = sys.argv[1:]
            if certificate:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate, key)
                context.maximum_version = ssl.TLSVersion[version]
                if authority:
                    context.verify_mode = ssl.CERT_REQUIRED
                    context.load_verify_locations(authority)

            def pump(source, sink):
                try:
                    while data := source.recv(65536):
                        sink.sendall(data)
                    sink.shutdown(socket.SHUT_WR)
                except OSError:
                    pass

            def serve(client):
                try:
                    if certificate:
                        client = context.wrap_socket(client, server_side=True)
                    head = b""
                    while b"\\r\\n\\r\\n" not in head:
                        part = client.recv(65536)
                        if not part or part[:1] == b"\\x16":
                            client.sendall(b"HTTP/1.1 400 Bad Request\\r\\n\\r\\n")
                            client.shutdown(socket.SHUT_WR)
                            return client.recv(1)
                        head += part
                    server = socket.create_connection(("127.0.0.1", int(port)))
                    client.sendall(b"HTTP/1.1 200 Connected\\r\\n\\r\\n")
                    threading.Thread(target=pump, args=(client, server), daemon=True).start()
                    pump(server, client)
                except OSError:
                    pass

            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
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
