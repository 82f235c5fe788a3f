import Testing

@testable import IntegrationServer

struct OpenAPITests {
    @Test func `the description lists what is served and what must be sent`() async throws {
        try await RunningServer.run { server in
            let document = try JSONReader.read(Array(try await server.http.get("/openapi.json").body.utf8))
            let paths = document["paths"]
            #expect(paths?["/fhir/{type}"]?.members.map(\.name) == ["get", "post", "put"])
            #expect(paths?["/fhir/{type}/_search"]?.members.map(\.name) == ["post"])
            #expect(paths?["/fhir/{type}/{id}/_history/{version}"]?.members.map(\.name) == ["get"])
            for path in ["/api/v1/observations", "/fhir/api/v1/observations"] {
                let parameter = paths?[path]?["post"]?["parameters"]?.elements.first
                #expect(parameter?["name"]?.string == "Idempotency-Key")
                #expect(parameter?["required"]?.boolean == true)
            }
        }
    }
}
