internal import CLibXML2

/// The attributes of an element as libxml2 passes them.
///
/// Five pointers each: to the name, the prefix, the URI, and the value's beginning and end.
@safe
struct SAXAttributes {
    let count: Int
    private let base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    init(_ base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int) {
        unsafe self.base = unsafe base
        self.count = unsafe base == nil ? 0 : count
    }

    /// An attribute's name; `nil` if it has a prefix.
    func name(_ index: Int) -> UnsafePointer<xmlChar>? {
        guard let attribute = unsafe base.map({ unsafe $0 + index &* 5 }) else { return nil }
        return unsafe attribute[1] == nil ? attribute[0] : nil
    }

    /// An attribute's value, which is valid until the callback returns.
    func value(_ index: Int) -> UnsafeBufferPointer<xmlChar>? {
        guard let attribute = unsafe base.map({ unsafe $0 + index &* 5 }), let start = unsafe attribute[3],
            let end = unsafe attribute[4]
        else { return nil }
        return unsafe UnsafeBufferPointer(start: start, count: end - start)
    }
}
