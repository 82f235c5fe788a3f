internal import FoundationEssentials
internal import HTTPTransport

/// Requests JSON and reads it, within limits that hold for all requests of a sign-in.
struct JSONDocument {
    /// For a sign-in's documents, which are small and quick.
    static let limits = HTTPLimits(
        connect: .seconds(10),
        idle: .seconds(15),
        total: .seconds(30),
        maximumBodyByteCount: 1 << 20
    )

    /// For a renewal: a refresh token is spent once it is sent, and giving up before the answer would lose the sign-in.
    static let renewalLimits = HTTPLimits(
        connect: .seconds(10),
        idle: .seconds(120),
        total: .seconds(120),
        maximumBodyByteCount: 1 << 20
    )

    /// The place that errors name: the URL without its query.
    let place: String
    let response: HTTPResponse
    /// What was sent and must not be shown, even if the server repeats it.
    var secrets: [String] = []

    /// Gets `url`.
    static func get(_ url: HTTPURL, with client: HTTPClient) async throws(OpenIDConnectError) -> JSONDocument {
        let headers = [HTTPHeader("Accept", "application/json")]
        return try await send(HTTPRequest(.get, url, headers: headers, limits: limits), with: client)
    }

    /// Posts a form, on a connection of its own: a code or a refresh token must not be sent twice.
    static func post(
        _ fields: [(String, String)],
        to url: HTTPURL,
        authorization: Authorization? = nil,
        limits: HTTPLimits = limits,
        with client: HTTPClient
    ) async throws(OpenIDConnectError) -> JSONDocument {
        let headers = [
            HTTPHeader("Accept", "application/json"),
            HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
        ]
        let request = HTTPRequest(
            .post,
            url,
            headers: headers,
            authorization: authorization,
            body: Array(FormEncoding.text(fields).utf8),
            limits: limits,
            connection: .fresh
        )
        var document = try await send(request, with: client)
        document.secrets = fields.filter { secretFields.contains($0.0) }.map { $0.1 }
        return document
    }

    private static let secretFields: Set = [
        "code", "code_verifier", "device_code", "refresh_token", "token", "client_assertion",
    ]

    private static func send(
        _ request: HTTPRequest,
        with client: HTTPClient
    ) async throws(OpenIDConnectError) -> JSONDocument {
        let place = request.url.description
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await client.send(request)
        } catch {
            throw .transport(error)
        }
        guard !(300..<400).contains(response.status) else { throw .redirected(place: place) }
        return JSONDocument(place: place, response: response)
    }

    /// The document of an answer with status 200.
    func decoded<Value: Decodable>(as type: Value.Type) throws(OpenIDConnectError) -> Value {
        guard response.status == 200 else { throw .unexpectedStatus(place: place, status: response.status) }
        return try read(as: type)
    }

    /// The document, whatever the status.
    func read<Value: Decodable>(as type: Value.Type) throws(OpenIDConnectError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw .malformedDocument(place: place, fault: Self.fault(error))
        }
    }

    /// What was wrong, naming the key alone: a decoding error may quote the value.
    private static func fault(_ error: any Error) -> String {
        func name(_ path: [any CodingKey]) -> String { path.first?.stringValue ?? "the document" }
        return switch error as? DecodingError {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing (expected a value)"
        case .valueNotFound(_, let context): "\(name(context.codingPath)) is null (expected a value)"
        case .typeMismatch(_, let context):
            context.codingPath.isEmpty
                ? "no JSON object (expected one)" : "\(name(context.codingPath)) has another type than it must have"
        default: "no JSON (expected an object)"
        }
    }
}
