/// What the server can do, as `GET metadata` answers it (R4, section 5.3): made from the tables that do it.
enum CapabilityStatement {
    static func text(base: String, issuer: IssuerMetadata) -> String {
        let resources = ResourceType.allCases.map(resource).joined(separator: ",")
        return """
            {"resourceType":"CapabilityStatement","status":"active","date":"2026-11-21","kind":"instance",\
            "software":{"name":"pghd serve"},\
            "implementation":{"description":"pghd's embedded integration server, for demos and tests",\
            "url":\(JSONEscapes.quoted(base))},\
            "fhirVersion":"4.0.1","format":["application/fhir+json","json"],\
            "rest":[{"mode":"server","security":\(security(issuer)),"resource":[\(resources)],\
            "interaction":[{"code":"transaction"},{"code":"batch"}]}]}
            """
    }

    private static func resource(_ type: ResourceType) -> String {
        let vread = "{\"code\":\"vread\",\"documentation\":\"the current version alone: former ones are not kept\"}"
        let others = ["read", "update", "delete", "create", "search-type"].map { "{\"code\":\"\($0)\"}" }
        let interactions = (others + [vread]).joined(separator: ",")
        let parameters = SearchParameter.all(type)
            .map { "{\"name\":\"\($0.name)\",\"type\":\"\($0.kind.rawValue)\"}" }.joined(separator: ",")
        return """
            {"type":"\(type.rawValue)","interaction":[\(interactions)],"versioning":"versioned","readHistory":false,\
            "updateCreate":true,"conditionalCreate":true,"conditionalRead":"not-match","conditionalUpdate":true,\
            "conditionalDelete":"not-supported","referencePolicy":["literal"],"searchParam":[\(parameters)]}
            """
    }

    private static func security(_ issuer: IssuerMetadata) -> String {
        let urls = [
            ("authorize", issuer.url("authorize")), ("token", issuer.url("token")), ("revoke", issuer.url("revoke")),
        ]
        .map { "{\"url\":\"\($0)\",\"valueUri\":\(JSONEscapes.quoted($1))}" }.joined(separator: ",")
        return """
            {"extension":[{"url":"http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",\
            "extension":[\(urls)]}],"service":[{"coding":[{\
            "system":"http://terminology.hl7.org/CodeSystem/restful-security-service","code":"SMART-on-FHIR"}]}]}
            """
    }
}
