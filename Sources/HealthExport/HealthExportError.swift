/// What can go wrong while an Apple Health export is read.
///
/// Its text has the form `where: what is wrong (expected what): what to do next`, such as `export.zip: no Apple Health
/// export inside (expected an XML file with <HealthData>): give the zip or the folder that holds it, or export it again
/// with "Export All Health Data"`. It never repeats content of the file, so it may go into any log.
public enum HealthExportError: Error, Equatable, Sendable {
    /// The input can't be opened, is not an Apple Health export, or fails while it is read.
    ///
    /// `input` is the path as the user gave it, with control characters replaced.
    case unreadableInput(InputFault, input: String)
    /// The text up to the root element is not an export's, as its ``PrologFault`` says.
    case refusedXML(PrologFault, input: String)
}

extension HealthExportError {
    /// Whether the system failed to read what may be intact, so that another try may succeed.
    public var isFailureToRead: Bool {
        if case .unreadableInput(let fault, _) = self { fault.isFailureToRead } else { false }
    }
}

extension HealthExportError: CustomStringConvertible {
    /// One line for the user, without a full stop.
    public var description: String {
        switch self {
        case .unreadableInput(let fault, let input): "\(input): \(fault)"
        case .refusedXML(let fault, let input): "\(input): \(fault)"
        }
    }
}
