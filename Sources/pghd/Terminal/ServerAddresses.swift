import IntegrationServer

extension IntegrationServer.Addresses {
    /// A line for each, for people.
    var text: String {
        var lines = ["FHIR base   \(fhirBase)", "issuer      \(issuer)"]
        if let password { lines.append("password    \(password)") }
        if let testToken { lines.append("test token  \(testToken)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line for programs; nothing in it needs an escape.
    var json: String {
        var members = ["\"fhirBase\": \"\(fhirBase)\"", "\"issuer\": \"\(issuer)\""]
        if let password { members.append("\"password\": \"\(password)\"") }
        if let testToken { members.append("\"testToken\": \"\(testToken)\"") }
        return "{\(members.joined(separator: ", "))}\n"
    }
}
