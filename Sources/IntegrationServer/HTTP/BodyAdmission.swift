/// How a body that may be long is treated, by its request's head.
enum BodyAdmission: Sendable {
    /// It is read: its sender may send it.
    case whole
    /// It is read from anybody, so all of them together may send less.
    case strangers
    /// No long body belongs to that address.
    case small
    /// Nothing of it is read; the connection ends after the answer.
    case refused(HTTPResponse)
}
