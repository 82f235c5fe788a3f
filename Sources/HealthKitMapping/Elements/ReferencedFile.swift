package import HealthExport

/// A file next to the main XML that an element refers to: a workout's route, a clinical record.
///
/// Files are read after the XML, in the order of their elements.
package struct ReferencedFile: Sendable, Equatable {
    /// What kind of file it is.
    package enum Kind: Sendable {
        /// A GPX track of a workout, converted only on request.
        case route
        /// A FHIR resource of any version.
        case clinicalRecord
    }

    /// What kind of file it is.
    package var kind: Kind
    /// Where it is, as the export says: `/workout-routes/route_2024-06-16_9.31am.gpx`, below the main XML's folder.
    package var path: String
    /// The element that refers to it: a clinical record, or a route without its places, which are mapped already.
    package var element: HealthElement
    /// What a route needs from its workout, which is not kept until then.
    var workout: RoutedWorkout?
    /// Whether a route has this track and no other.
    var isAlone = false

    /// A reference.
    package init(kind: Kind, path: String, element: HealthElement) {
        self.kind = kind
        self.path = path
        self.element = element
    }
}
