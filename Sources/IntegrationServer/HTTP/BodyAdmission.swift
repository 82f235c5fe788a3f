/// What a request's head tells of a body that may be long.
enum BodyAdmission: Sendable {
    /// Whoever sends it may: it is read.
    case whole
    /// It is read of anybody, so what all of them send together is less.
    case strangers
    /// Nothing long goes with that address.
    case small
    /// Nothing of it is read; the connection ends after the answer.
    case refused(HTTPResponse)
}
