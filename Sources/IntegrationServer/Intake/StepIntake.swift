import FoundationEssentials
import GRDB

/// `POST /steps`: samples as a step-sync app sends them, stored once per id.
///
/// `{"samples":[{"id":"…","startDate":"2024-01-15T10:30:00Z","endDate":"…","count":45,…}]}` is answered with
/// `{"saved":1,"message":"Success"}`. Such apps send no token, so this works only on a loopback address.
struct StepIntake: Sendable {
    let store: ServerStore

    func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.require("POST")
        let value = try FHIRService.json(request)
        guard case .array(let elements)? = value["samples"]?.content else {
            throw Refusal(422, .required, "samples is missing (expected an array)", at: "samples")
        }
        var samples: [(id: String, bytes: Data)] = []
        for (index, sample) in elements.enumerated() {
            guard let id = sample["id"]?.string, (1...255).contains(id.utf8.count),
                let start = sample["startDate"]?.string.flatMap(FHIRInstant.span),
                let end = sample["endDate"]?.string.flatMap(FHIRInstant.span), start.lowerBound <= end.lowerBound,
                let count = sample["count"]?.integer, count >= 0
            else {
                throw Refusal(
                    422,
                    .value,
                    "this is not a sample (expected id, startDate, endDate and count)",
                    at: "samples[\(index)]"
                )
            }
            samples.append((id, Data(sample.bytes)))
        }
        let rows = samples
        let saved = try await store.commits.write { database in
            let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO step VALUES (?, ?)")
            var saved = 0
            for (id, bytes) in rows {
                try statement.execute(arguments: [id, bytes])
                saved += database.changesCount
            }
            return saved
        }
        return .json(200, "{\"saved\":\(saved),\"message\":\"Success\"}")
    }
}
