import FHIRR4
import Testing

@testable import Delivery

/// Which kind of samples a resource on the server was made of, by which `--delete` finds what an export left out.
struct ServerCopyTests {
    private static let summary = "urn:uuid:summary"

    @Test(arguments: [
        (
            ResourceType.observation, "urn:uuid:record", "vital-signs", "HKQuantityTypeIdentifierBodyMass",
            "HKQuantityTypeIdentifierBodyMass"
        ),
        (
            .observation, summary, "activity", "HKQuantityTypeIdentifierStepCount",
            "DailySummary HKQuantityTypeIdentifierStepCount"
        ),
        (.observation, "urn:uuid:workout", "PhysicalActivity", "73985-4", "Workout"),
        // A route is delivered only with --routes: a run without it must not count it as a part of the workout.
        (.documentReference, "urn:uuid:route", "PhysicalActivity", "HKWorkoutRouteTypeIdentifier", "WorkoutRoute"),
    ])
    func `a resource's kind is the one it was delivered as`(
        _ type: ResourceType,
        _ profile: String,
        _ category: String,
        _ code: String,
        _ kind: String
    ) throws {
        let concept: (String) -> JSONValue = { ["coding": [["code": .string($0)]]] }
        let copy = try #require(
            ServerCopy(
                [
                    "resourceType": .string(type.name), "id": "1", "meta": ["profile": [.string(profile)]],
                    "category": [concept(category)], "code": concept(code),
                ],
                type: type
            )
        )
        #expect(copy.kind(dailySummaryProfile: Self.summary) == EncodedResource.kind(of: kind))
    }

    @Test(arguments: [
        ("Patient/p1", "p1" as String?), ("https://fhir.example.org/Patient/p1/_history/3", "p1"), ("Patient/", nil),
        ("urn:uuid:3d0a", nil), ("Group/7", nil),
    ])
    func `a resource's patient is read from its reference`(_ reference: String, _ patientID: String?) {
        for key in ["subject", "patient"] {
            let content: JSONValue = [
                "resourceType": "Observation", "id": "1", key: ["reference": .string(reference)],
            ]
            #expect(ServerCopy(content, type: .observation)?.patientID == patientID)
        }
    }
}
