internal import FHIRR4
internal import HealthExport

/// Where a workout led, as a DocumentReference that holds the track: only on request, since it shows where someone
/// lives.
///
/// The track is the export's GPX file without what changes from export to export (``GPXTrack``), or one written from
/// the `Location` elements of exports before iOS 12.1. It names its workout by identifier, so it need not be in the
/// workout's Bundle.
///
/// Source: <https://hl7.org/fhir/R4/documentreference.html>.
struct WorkoutRoute {
    /// HealthKit's identifier of routes.
    static let type = "HKWorkoutRouteTypeIdentifier"

    let context: MappingContext

    /// Adds the route to what its workout became, as a resource or as a file to be read.
    ///
    /// - Parameters:
    ///   - route: the element.
    ///   - workout: the workout in which it was recorded.
    ///   - mapped: what its workout became.
    func add(_ route: HealthElement, of workout: RoutedWorkout, to mapped: inout MappedElement) {
        guard context.options.includesRoutes else {
            mapped.unmapped.elements.append(.workoutRoute)
            return
        }
        let references = route.children(.fileReference)
        let locations = route.children(.location)
        // Files are read after the XML: thousands of places must not be kept until then.
        var bare = route
        bare.children.removeAll { $0.name == .fileReference || $0.name == .location }
        // A reference that is repeated counts once.
        var known: Set<[UInt8]> = []
        let paths = references.compactMap { $0["path"] }.filter { known.insert(Array($0.utf8)).inserted }
        let namesOne = paths.count == 1 && references.allSatisfy { $0["path"] != nil }
        mapped.files += paths.map { path in
            var file = ReferencedFile(kind: .route, path: path, element: bare)
            file.workout = workout
            file.isAlone = namesOne && locations.isEmpty
            return file
        }
        mapped.unmapped.elements += locations.filter { !GPXTrack.hasPlace($0) }.map(\.name)
        mapped.unmapped.values += locations.flatMap { Array(repeating: "", count: GPXTrack.unreadableCount(in: $0)) }
        if let track = GPXTrack(locations: locations) {
            mapped.units.append(.init(drafts: [resource(bare, of: workout, track: track, isAlone: paths.isEmpty)]))
        } else if paths.isEmpty || !locations.isEmpty {
            mapped.unmapped.elements.append(.workoutRoute)
        }
    }

    /// Maps a route's file.
    func map(_ file: ReferencedFile, content: [UInt8]?) -> MappedElement {
        if let content, !ReferencedFile.Kind.route.isWhole(content) {
            var mapped = MappedElement.leftOut(.workoutRoute)
            mapped.faults = [.unreadableFile]
            return mapped
        }
        guard context.options.includesRoutes, let workout = file.workout,
            let track = content.flatMap({ GPXTrack(file: $0) })
        else { return .leftOut(.workoutRoute) }
        return MappedElement(resource(file.element, of: workout, track: track, isAlone: file.isAlone))
    }

    /// The document of one track of a route, whose element comes without its files and places.
    private func resource(
        _ route: HealthElement,
        of workout: RoutedWorkout,
        track: GPXTrack,
        isAlone: Bool
    ) -> ResourceDraft {
        let own = SampleFrame(route, in: context)
        // A route without dates of its own, or with several tracks, is named by its track: a file's name depends on the
        // phone's language.
        let value = own != nil && isAlone ? "" : context.scheme.digestText(of: track.bytes)
        let frame = own ?? SampleFrame(route, start: workout.start, end: workout.end, in: context)
        let zone = frame["HKTimeZone"] ?? workout.zone
        let offsets = context.offsets(at: frame.start, frame.end, zone: zone)
        let bytes = Self.bytes(of: track, workout, hasDates: own != nil, offsets)
        // A DocumentReference has no place for what is not an identifier.
        let added = context.metadata(of: frame, places: .udi)
        var draft = ResourceDraft(
            type: .documentReference,
            id: isAlone
                ? context.scheme.id(kind: "WorkoutRoute", type: Self.type, frame: frame, value: value)
                // A sync identifier names the route, not one of its tracks.
                : context.scheme.id(
                    kind: "WorkoutRoute",
                    type: Self.type,
                    source: frame.identitySource,
                    start: String(frame.start),
                    end: String(frame.end),
                    value: value
                ),
            digest: context.scheme.digest(of: route, with: bytes),
            kind: "WorkoutRoute",
            meta: ["profile": [.string(ProfileURL.route)]],
            identifiers: added.identifiers,
            body: [
                .init("status", "current"),
                .init("type", .concept([.apple(Self.type, "Workout route")], text: "Workout route")),
                .init("category", [.concept([WorkoutFrame.category])]),
                .init("subject", context.subject),
                .init(
                    "author",
                    .list([frame.device, frame.gateway].map { $0.map { context.reference(.device, $0.id) } ?? nil })
                ),
                .init("securityLabel", [.concept([Self.restricted])]),
                .init("content", [["attachment": .attachment(track.bytes, contentType: "application/gpx+xml")]]),
                .init(
                    "context",
                    [
                        "period": context.period(frame.start, frame.end, zone: zone),
                        "related": [reference(toPanel: workout.panel)],
                    ]
                ),
                .init("extension", .list(added.extensions)),
            ]
        )
        draft.rank = frame.syncVersion
        draft.unmapped = added.unmapped
        draft.device = frame.device?.number ?? -1
        draft.gateway = frame.gateway?.number ?? -1
        return draft
    }

    /// Everything that a route's resource says in addition to its own element: it names the workout, and may take its
    /// time zone and its dates.
    private static func bytes(
        of track: GPXTrack,
        _ workout: RoutedWorkout,
        hasDates: Bool,
        _ offsets: String?
    ) -> [UInt8] {
        let dates = hasDates ? [] : [String(workout.start), String(workout.end)]
        let texts = [workout.panel.text, workout.zone ?? ""] + dates + (offsets.map { [$0] } ?? []) + [""]
        return Array(texts.joined(separator: IdentityScheme.separator).utf8) + track.bytes
    }

    /// Names the panel by its identifier; where the client chooses ids, also by reference.
    private func reference(toPanel panel: ResourceID) -> JSONValue {
        let isCreated = context.options.form == .conditionalCreate
        return [
            "reference": isCreated ? nil : .string(context.options.form.reference(type: "Observation", id: panel)),
            "type": "Observation",
            "identifier": ["system": .string(ResourceID.identifierSystem), "value": .string(panel.text)],
        ]
    }

    /// Places show where someone lives, so not everyone who may read an activity may read them.
    private static let restricted = Coding(
        system: "http://terminology.hl7.org/CodeSystem/v3-Confidentiality",
        code: "R",
        display: "restricted"
    )
}

/// What a route needs from its workout: its file is read after the XML, and thousands may wait.
struct RoutedWorkout: Sendable, Equatable {
    var start: Int64
    var end: Int64
    var zone: String?
    /// The workout's own Observation.
    var panel: ResourceID

    init(_ frame: WorkoutFrame) {
        (start, end, zone) = (frame.sample.start, frame.sample.end, frame.zone)
        panel = frame.id(start: start, end: end)
    }
}
