import HTTPTransport
import Testing

@testable import Delivery

struct LedgerFileTests {
    private func name(_ server: String) throws -> String {
        let options = DeliveryOptions(server: try HTTPURL(server), patientID: "p1", ledgerFolder: "/ledgers")
        return LedgerFile(folder: "/ledgers", server: options.server.text, patientID: "p1").name
    }

    @Test(arguments: [
        "https://fhir.example.org/r4", "HTTPS://FHIR.example.org/r4", "https://fhir.example.org:443/r4",
        "https://fhir.example.org/r4/",
    ])
    func `a server has one ledger, however its address is spelled`(_ server: String) throws {
        #expect(try name(server) == "1e35a45be4fe04044ec1bad52d6ac13e")
    }

    @Test(arguments: ["http://fhir.example.org/r4", "https://fhir.example.org/R4", "https://fhir.example.org:8443/r4"])
    func `another address has another ledger`(_ server: String) throws {
        #expect(try name(server) != name("https://fhir.example.org/r4"))
    }
}
