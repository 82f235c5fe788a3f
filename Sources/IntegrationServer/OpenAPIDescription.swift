/// The server's interface, for programs that read such descriptions (OpenAPI 3.1), at `GET /openapi.json`.
enum OpenAPIDescription {
    static func text(origin: String) -> String {
        """
        {"openapi":"3.1.0","info":{"title":"pghd serve","version":"1"},\
        "servers":[{"url":\(JSONEscapes.quoted(origin))}],\
        "components":{"securitySchemes":{"token":{"type":"http","scheme":"bearer"}}},\
        "paths":{\(paths.joined(separator: ","))}}
        """
    }

    private static let paths = [
        path("/health", operation("get", [200])),
        path("/steps", operation("post", [200, 422], body: stepsSchema, media: "application/json")),
        path("/api/v1/observations", intake),
        path("/fhir/api/v1/observations", intake),
        path("/fhir/metadata", operation("get", [200])),
        path("/fhir/.well-known/smart-configuration", operation("get", [200])),
        path("/fhir", operation("post", [200, 412, 422], body: bundleSchema, needsToken: true)),
        path(
            "/fhir/{type}",
            operation("get", [200], [type] + ["identifier", "date", "_count"].map(query), needsToken: true),
            operation("post", [200, 201, 412, 422], [type], body: resourceSchema, needsToken: true),
            operation(
                "put",
                [200, 201, 409, 412, 422],
                [type, query("identifier")],
                body: resourceSchema,
                needsToken: true
            )
        ),
        path(
            "/fhir/{type}/_search",
            operation("post", [200], [type], body: searchSchema, media: form, needsToken: true)
        ),
        path(
            "/fhir/{type}/{id}",
            operation("get", [200, 404, 410], [type, id], needsToken: true),
            operation("put", [200, 201, 412, 422], [type, id], body: resourceSchema, needsToken: true),
            operation("delete", [204, 412], [type, id], needsToken: true)
        ),
        path(
            "/fhir/{type}/{id}/_history/{version}",
            operation("get", [200, 304, 404, 410], [type, id, version], needsToken: true)
        ),
        path("/auth/.well-known/openid-configuration", operation("get", [200])),
        path("/auth/jwks", operation("get", [200])),
        path(
            "/auth/authorize",
            operation("get", [200, 303], ["client_id", "redirect_uri", "scope", "code_challenge"].map(query))
        ),
        path("/auth/token", operation("post", [200], body: formSchema, media: form)),
        path("/auth/revoke", operation("post", [200], body: formSchema, media: form)),
        path("/auth/device_authorization", operation("post", [200], body: formSchema, media: form)),
    ]

    private static let intake = operation(
        "post",
        [200, 409, 422],
        [parameter("Idempotency-Key", in: "header", text, isRequired: true)],
        body: bundleSchema,
        needsToken: true
    )
    private static let form = "application/x-www-form-urlencoded"
    private static let text = #"{"type":"string"}"#
    private static let type = parameter(
        "type",
        in: "path",
        "{\"enum\":[\(ResourceType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]}"
    )
    private static let id = parameter("id", in: "path", #"{"type":"string","pattern":"^[A-Za-z0-9.-]{1,64}$"}"#)
    private static let version = parameter("version", in: "path", text)
    private static let resourceSchema =
        #"{"type":"object","required":["resourceType"],"properties":{"resourceType":{"type":"string"}}}"#
    private static let bundleSchema = """
        {"type":"object","required":["resourceType","type"],"properties":{"resourceType":{"const":"Bundle"},\
        "type":{"enum":["transaction","batch"]},"entry":{"type":"array","items":{"type":"object",\
        "properties":{"fullUrl":\(text),"resource":\(resourceSchema),"request":{"type":"object",\
        "required":["method","url"],"properties":{"method":{"enum":["DELETE","GET","POST","PUT"]},"url":\(text),\
        "ifMatch":\(text),"ifNoneExist":\(text)}}}}}}}
        """
    private static let searchSchema = """
        {"type":"object","properties":{"identifier":\(text),"date":\(text),"_count":\(text)}}
        """
    private static let stepsSchema = """
        {"type":"object","required":["samples"],"properties":{"samples":{"type":"array","items":{"type":"object",\
        "required":["id","startDate","endDate","count"],"properties":{"id":\(text),"startDate":\(text),\
        "endDate":\(text),"count":{"type":"integer"}}}}}}
        """
    private static let formSchema = """
        {"type":"object","properties":{"grant_type":\(text),"client_id":\(text),"scope":\(text),"code":\(text),\
        "refresh_token":\(text),"device_code":\(text),"token":\(text),"client_assertion":\(text)}}
        """

    private static func path(_ name: String, _ operations: String...) -> String {
        "\"\(name)\":{\(operations.joined(separator: ","))}"
    }

    private static func operation(
        _ method: String,
        _ statuses: [Int],
        _ parameters: [String] = [],
        body: String? = nil,
        media: String = "application/fhir+json",
        needsToken: Bool = false
    ) -> String {
        var members = ["\"parameters\":[\(parameters.joined(separator: ","))]"]
        if let body {
            members.append("\"requestBody\":{\"required\":true,\"content\":{\"\(media)\":{\"schema\":\(body)}}}")
        }
        if needsToken { members.append(#""security":[{"token":[]}]"#) }
        let answers = statuses.map { "\"\($0)\":{\"description\":\"\(HTTPStatus.phrase($0))\"}" }
        members.append("\"responses\":{\((answers + [#""4XX":{"description":"refused"}"#]).joined(separator: ","))}")
        return "\"\(method)\":{\(members.joined(separator: ","))}"
    }

    private static func query(_ name: String) -> String { parameter(name, in: "query", text) }

    private static func parameter(
        _ name: String,
        in place: String,
        _ schema: String,
        isRequired: Bool = false
    ) -> String {
        let required = isRequired || place == "path"
        return "{\"name\":\"\(name)\",\"in\":\"\(place)\",\"required\":\(required),\"schema\":\(schema)}"
    }
}
