internal import FHIRR4

/// A resource as the server has it.
struct ServerCopy: Sendable {
    /// Its id there, such as `12`.
    let id: String
    /// Its name there, such as `Observation/12`.
    let name: String
    let content: JSONValue
    /// The base by which the server knows it, which behind a proxy differs from the base of the requests; `nil` where
    /// the server does not show it.
    var base: String?
    /// Whether one page of a search lists it more than once.
    var isRepeated = false

    /// A resource of this type with an id that is valid in FHIR; `nil` for any other.
    init?(_ content: JSONValue, type: ResourceType, fullURL: String? = nil) {
        guard content["resourceType"]?.string == type.name, let id = content["id"]?.string,
            LogicalID.isValid(id)
        else { return nil }
        self.id = id
        name = "\(type.name)/\(id)"
        self.content = content
        if let fullURL, fullURL.hasSuffix("/" + name) { base = String(fullURL.dropLast(name.count + 1)) }
    }

    /// Whether it names its Patient by an absolute URL, whose base may differ from that of the requests.
    var namesPatientByURL: Bool {
        (content["subject"] ?? content["patient"])?["reference"]?.string?.contains("://") ?? false
    }

    /// The id of the Patient that it belongs to; `nil` where it does not say.
    ///
    ///     Patient/p1     https://fhir.example.org/r4/Patient/p1/_history/3
    var patientID: String? {
        let reference = (content["subject"] ?? content["patient"])?["reference"]?.string ?? ""
        let steps = reference.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard let type = steps.lastIndex(of: "Patient"), type + 1 < steps.count else { return nil }
        return String(steps[type + 1])
    }

    /// When the server last changed it, in seconds since 1970; `nil` where it does not say.
    var lastUpdated: Int64? { content["meta"]?["lastUpdated"]?.string.flatMap { FHIRInstant.seconds($0) } }

    /// The id that one of its identifiers has in pghd's system.
    var ownID: ResourceID? {
        let identifiers = content["identifier"]?.elements ?? []
        for identifier in identifiers where identifier["system"]?.string == ResourceID.identifierSystem {
            if let id = identifier["value"]?.string.flatMap({ ResourceID(text: $0) }) { return id }
        }
        return nil
    }
}

extension ServerCopy {
    /// Whether somebody has marked it as entered in error.
    var isInError: Bool { content["status"]?.string == "entered-in-error" }

    /// The kind of the samples that it was made of, as in the ledger; 0 where that can't be found out.
    ///
    /// Everything made of a workout is of one kind, except its routes. A daily summary has its samples' code but a kind
    /// of its own, which its profile shows.
    func kind(dailySummaryProfile: String) -> UInt64 {
        if content["resourceType"]?.string == ResourceType.visionPrescription.name {
            return EncodedResource.kind(of: ResourceType.visionPrescription.name)
        }
        let profiles = content["meta"]?["profile"]?.elements.compactMap(\.string) ?? []
        let categories = content["category"]?.elements.flatMap { $0["coding"]?.elements ?? [] } ?? []
        if categories.contains(where: { $0["code"]?.string == "PhysicalActivity" }) {
            let isRoute = content["resourceType"]?.string == ResourceType.documentReference.name
            return EncodedResource.kind(of: isRoute ? "WorkoutRoute" : "Workout")
        }
        let codes = content["code"]?["coding"]?.elements.compactMap { $0["code"]?.string } ?? []
        // Every Observation of pghd's has these: if the server leaves one of them out, the kind can't be found out.
        guard !profiles.isEmpty, !categories.isEmpty, let type = codes.first(where: { $0.hasPrefix("HK") }) else {
            return 0
        }
        return EncodedResource.kind(of: (profiles.contains(dailySummaryProfile) ? "DailySummary " : "") + type)
    }
}
