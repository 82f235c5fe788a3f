internal import Glibc
internal import OpenSSLCrypto

/// A transaction Bundle as it is sent to a server: its bytes, and what is in them.
///
///     {"resourceType":"Bundle","identifier":{"system":"urn:uuid:…","value":"KEY"},"type":"transaction","entry":[…]}
public struct TransactionBundle: Sendable {
    /// One entry: the resource, and where its bytes are in the Bundle's.
    public struct Entry: Sendable {
        /// The resource; `nil` for one that has no id of ours.
        public var member: BundleMember?
        /// Its bytes, from brace to brace.
        public var range: Range<Int>

        /// An entry as given.
        public init(member: BundleMember?, range: Range<Int>) {
            self.member = member
            self.range = range
        }
    }

    /// The idempotency key, 64 hex digits.
    public let key: String
    /// The JSON, with or without a line feed at its end.
    public let body: [UInt8]
    /// What it holds, in order.
    public let entries: [Entry]
    /// What the keys of its parts depend on in addition to their entries; may be empty.
    public let salt: [UInt8]

    /// A Bundle as given.
    public init(key: String, body: [UInt8], entries: [Entry], salt: [UInt8] = []) {
        self.key = key
        self.body = body
        self.entries = entries
        self.salt = salt
    }

    /// A copy of what `BundleBuilder.finish` lends.
    package init(_ group: GroupBytes, key: String) {
        let members = group.members
        var entries: [Entry] = []
        entries.reserveCapacity(members.count)
        // A frame, then entries with commas between them.
        var start = unsafe group.pieces[0].iov_len
        for (number, member) in members.enumerated() {
            let count = unsafe group.pieces[1 + 2 * number].iov_len
            entries.append(Entry(member: member, range: start..<start + count))
            start += count + 1
        }
        self.init(key: key, body: group.joined, entries: entries)
    }

    /// A Bundle of some of the entries, under a key of its own.
    ///
    ///     key = SHA-256( "pghd1" ␟ "part" ␟ salt ‖ the entries with the commas between them )
    ///
    /// so that equal keys mean equal bytes here too. With a salt that is used once, the key is new to every server.
    ///
    /// - Parameters:
    ///   - numbers: which entries, ascending.
    ///   - salt: what the key, and those of its parts, depend on in addition to the entries; `nil` for this Bundle's.
    ///   - write: gives an entry's new bytes; `nil` leaves them as they are.
    /// - Returns: the Bundle.
    package func part(
        _ numbers: [Int],
        salt: [UInt8]? = nil,
        write: (Entry, ArraySlice<UInt8>) -> [UInt8]? = { _, _ in nil }
    ) -> Self {
        let salt = salt ?? self.salt
        var list: [UInt8] = []
        list.reserveCapacity(numbers.reduce(0) { $0 + entries[$1].range.count + 1 })
        var ranges: [Range<Int>] = []
        for number in numbers {
            if !list.isEmpty { list.append(UInt8(ascii: ",")) }
            let start = list.count
            let bytes = body[entries[number].range]
            if let other = write(entries[number], bytes) { list += other } else { list += bytes }
            ranges.append(start..<list.count)
        }
        var hash = SHA256()
        hash.update("pghd1\u{1F}part\u{1F}")
        hash.update(salt)
        hash.update(list)
        let key = hash.digest().hex
        let head = Array((GroupPieces.opening + key + GroupPieces.entryOpening).utf8)
        return TransactionBundle(
            key: key,
            body: head + list + Array(GroupPieces.closing.utf8),
            entries: zip(numbers, ranges).map { number, range in
                let (start, end) = (range.lowerBound + head.count, range.upperBound + head.count)
                return Entry(member: entries[number].member, range: start..<end)
            },
            salt: salt
        )
    }
}

extension TransactionBundle: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its key and size alone: its content is somebody's health data.
    public var description: String { "Bundle \(key) of \(entries.count) entries, \(body.count) bytes" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
