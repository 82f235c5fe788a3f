internal import FHIRR4
internal import HTTPTransport
internal import Synchronization

/// Finds resources of ours on the server, many with one request where it allows that.
///
///     GET Observation?_id=h…,h…,h…&_count=100                  where our ids are the server's
///     GET Observation?identifier=h…,h…,h…&_count=100           where it has ids of its own
///
/// A list names no system, which would nearly double it, and some servers then look through all identifiers of all
/// resources; what it brings is taken only with our system. What a list does not bring is asked for alone, since a
/// server may not understand lists, give small pages, or find late what it has stored; only once many such answers have
/// agreed with lists that do work, lists are believed.
final class ResourceLookup: Sendable {
    /// A server may tell no base.
    private static let maximumBaseQuestionCount = 3
    /// Longest URL that every server and proxy takes.
    private static let maximumURLByteCount = 2000
    private static let maximumIDCount = 50
    /// A server that fails so often at a list, and not at single resources, takes none.
    static let maximumFailureCount = 3
    private static let maximumPageCount = 1000
    /// So many Devices are asked for at once, since a key-only server may have one from each Bundle; some refuse more.
    private static let devicePageSize = 100
    /// After so many answers that agree, lists are believed where something is to be proven.
    static let enoughConfirmations = 256
    /// Answers are larger than what was sent: servers add their own and indent.
    static let limits = HTTPLimits(maximumBodyByteCount: 128 << 20)

    let options: DeliveryOptions
    let poster: Poster
    /// After how many faults of the server's own a single resource is taken for one that can't be read.
    private let maximumSingleFailureCount: Int
    /// After so many answers that agree, lists are believed.
    private let enoughConfirmations: Int
    private let experience = Mutex(Experience())
    private let requests = Atomic<UInt64>(0)

    /// What the server has shown so far.
    private struct Experience {
        var takesLists = true
        /// Most ids of a list of a type, where its pages hold fewer than usual.
        var sizes: [ResourceType: Int] = [:]
        /// Whether a list has brought more than one, or the one of it that is there.
        var lists = false
        /// Answers that agreed with lists that had brought something, and with those that had not.
        var confirmations = 0
        var absences = 0
        /// Whether lists of this length have shown that they work, and of which types one can still be asked for that.
        var isProven = false
        var unproven = Set(ResourceType.allCases)
        var isContradicted = false
        /// By which base the server knows its resources, as a page has told; a resource that is read alone does not tell.
        var base: String?
        /// How often it was asked for a page only to learn that.
        var baseQuestionCount = 0

        /// 1 where the server takes no list.
        func size(_ type: ResourceType) -> Int { takesLists ? sizes[type] ?? maximumIDCount : 1 }

        func believesLists(after enough: Int) -> Bool {
            !isContradicted && (isProven || (lists && confirmations >= enough))
        }
    }

    init(
        options: DeliveryOptions,
        poster: Poster,
        maximumSingleFailureCount: Int = .max,
        enoughConfirmations: Int = ResourceLookup.enoughConfirmations
    ) {
        self.options = options
        self.poster = poster
        self.maximumSingleFailureCount = maximumSingleFailureCount
        self.enoughConfirmations = enoughConfirmations
    }

    /// Requests so far, repeated ones counted once.
    var requestCount: UInt64 { requests.load(ordering: .relaxed) }

    /// The server's copies of these resources; none of one that it does not have, several of one that is doubled.
    ///
    /// - Throws: ``DeliveryError/unreadableServer(url:status:)``, ``DeliveryError/unauthorized(_:server:)``,
    ///   ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func find(_ ids: [ResourceID], _ type: ResourceType) async throws -> [ResourceID: [ServerCopy]] {
        var found: [ResourceID: [ServerCopy]] = [:]
        var rest = ids[...]
        while !rest.isEmpty {
            let size = min(experience.withLock { $0.size(type) }, maximumIDCount(of: type))
            guard size > 1, rest.count > 1 else { break }
            let some = Array(rest.prefix(size))
            guard let page = try await list(some.map(\.text), type) else {
                experience.withLock { $0.takesLists = false }
                break
            }
            let matches = Self.grouped(page.copies, among: some, keyed: key)
            // Where ids are the server's, what is not brought may be another copy.
            let isWhole = page.rest == .none || (page.rest == .unclear && matches.count == some.count)
            if !isWhole, options.isConditional || matches.count < some.count {
                // Its pages are smaller than was asked for, and lead nowhere.
                experience.withLock { $0.sizes[type] = max(min(min(size, $0.size(type)) / 2, matches.count), 1) }
                continue
            }
            if matches.count > 1 { experience.withLock { $0.lists = true } }
            found.merge(matches) { first, _ in first }
            rest = rest.dropFirst(some.count)
            for id in some where matches[id] == nil {
                try await proveLists(some, type)
                if experience.withLock({ $0.believesLists(after: enoughConfirmations) }) { break }
                let copies = try await find(id, type)
                if !copies.isEmpty { found[id] = copies }
                experience.withLock { experience in
                    if matches.isEmpty { experience.absences += 1 } else { experience.confirmations += 1 }
                    if !copies.isEmpty { experience.isContradicted = true }
                }
            }
        }
        for id in rest {
            let copies = try await find(id, type)
            if !copies.isEmpty { found[id] = copies }
        }
        return found
    }

    /// Finds out whether lists work where they never brought anything: with one that is there before or behind the others.
    ///
    /// Of an export of which the server has next to nothing each resource would be asked for alone.
    private func proveLists(_ ids: [ResourceID], _ type: ResourceType) async throws {
        let size = min(experience.withLock { $0.size(type) }, maximumIDCount(of: type))
        let isDue = experience.withLock { experience in
            guard ids.count > 1, size > 1, !experience.believesLists(after: enoughConfirmations),
                experience.absences >= enoughConfirmations
            else { return false }
            return experience.unproven.remove(type) != nil
        }
        guard isDue else { return }
        let response = try await get("\(searchOfOurs(type))&_count=1", maximumFailureCount: Self.maximumFailureCount)
        guard response.status == 200, let resource = SearchPage(response.body)?.resources.first,
            let copy = ServerCopy(resource, type: type), let text = searchText(of: copy)
        else { return }
        // What a short list shows says nothing about long ones: filled up with what nobody has, and one fewer than a URL takes.
        let nobodys = (0..<UInt64(max(size - ids.count, 0))).map { ResourceID(high: 0, low: $0) }
        let texts = (ids.dropFirst() + nobodys).map(\.text)
        for list in [[text] + texts, texts + [text]] {
            guard let found = try await self.list(list, type)?.copies, found.contains(where: { $0.name == copy.name })
            else { return }
        }
        experience.withLock { $0.isProven = true }
    }

    /// The copies that a server which gives ids of its own has of a resource; `nil` where it can't be searched, or has others
    /// alone.
    ///
    /// - Returns: whether these are all, too, as far as pages tell: a total may count what else there is.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func copies(
        of id: ResourceID,
        _ type: ResourceType
    ) async throws -> (copies: [ServerCopy]?, isAll: Bool, last: HTTPResponse) {
        let found = try await search(id, type)
        let page = found.last.status == 200 ? SearchPage(found.last.body) : nil
        guard let copies = found.copies, !copies.isEmpty || page?.isOfNothing == true else {
            return (nil, false, found.last)
        }
        let isAll = page.map { $0.next == nil } ?? false
        return (Self.grouped(copies, among: [id], keyed: key)[id] ?? [], isAll, found.last)
    }

    private func search(_ id: ResourceID, _ type: ResourceType) async throws -> Found {
        let size = type == .device ? "&_count=\(Self.devicePageSize)" : ""
        let path = "\(type.name)?identifier=\(ResourceID.identifierSystem)%7C\(id.text)\(size)"
        return try await pages(path, type, maximumFailureCount: maximumSingleFailureCount) { $0.ownID == id }
    }

    /// One resource: read by its id, or searched by its identifier.
    private func find(_ id: ResourceID, _ type: ResourceType) async throws -> [ServerCopy] {
        if !options.isConditional {
            guard var copy = try await read("\(type.name)/\(id.text)", type) else { return [] }
            if copy.base == nil, copy.namesPatientByURL { copy.base = await learnBase(from: id, type) }
            return [copy]
        }
        let found = try await search(id, type)
        // A part tells neither that it has none nor how many.
        guard let copies = found.copies, found.rest == .none || (found.rest == .unclear && !copies.isEmpty) else {
            throw unreadable(found.last, type.name)
        }
        return Self.grouped(copies, among: [id], keyed: key)[id] ?? []
    }

    /// Asks for a page with a resource of ours, to learn by which base the server knows its own.
    private func learnBase(from id: ResourceID, _ type: ResourceType) async -> String? {
        let asks = experience.withLock { experience in
            experience.baseQuestionCount += 1
            return experience.baseQuestionCount <= Self.maximumBaseQuestionCount
        }
        // Whatever is wrong with it, the resource was read.
        if asks { _ = try? await list([id.text], type) }
        return experience.withLock(\.base)
    }

    /// The resource at a path such as `Patient/p1`; `nil` where there is none.
    ///
    /// - Throws: as `find(_:_:)`.
    func read(_ path: String, _ type: ResourceType) async throws -> ServerCopy? {
        let response = try await get(path)
        if try await poster.tellsAbsence(response, of: path) { return nil }
        guard response.status == 200, let value = JSONValue(beginning: response.body),
            var copy = ServerCopy(value, type: type)
        else { throw unreadable(response, type.name) }
        copy.base = experience.withLock(\.base)
        return copy
    }

    /// The answer to a GET below the server's base.
    ///
    /// - Throws: as `find(_:_:)`.
    func get(
        _ path: String,
        headers: [HTTPHeader] = [],
        maximumFailureCount: Int = .max
    ) async throws -> HTTPResponse {
        let url = try HTTPURL(options.server.text + (path.hasPrefix("?") ? path : "/" + path))
        requests.add(1, ordering: .relaxed)
        return try await poster.send(
            .reading(url, headers: headers, limits: Self.limits),
            maximumFailureCount: maximumFailureCount,
            // Who has no such resource need not say it in JSON.
            wantsJSON: path.contains("?")
        )
    }

    /// Whether the server tells that a resource was there and was deleted: 410.
    ///
    /// - Throws: as `find(_:_:)`.
    func wasDeleted(_ id: ResourceID, _ type: ResourceType) async throws -> Bool {
        guard !options.isConditional else { return false }
        return try await get("\(type.name)/\(id.text)").status == 410
    }

    /// `nil` where the server takes no such list.
    private func list(
        _ texts: [String],
        _ type: ResourceType
    ) async throws -> (copies: [ServerCopy], rest: Found.Rest)? {
        let name = options.isConditional ? "identifier" : "_id"
        let size = type == .device ? Self.devicePageSize : 2 * texts.count
        let path = "\(type.name)?\(name)=\(texts.joined(separator: ","))&_count=\(size)"
        let found: Found
        let wanted = Set(texts)
        do {
            found = try await pages(path, type, maximumFailureCount: Self.maximumFailureCount) { [self] copy in
                searchText(of: copy).map { wanted.contains($0) } ?? false
            }
        } catch DeliveryError.unreachable(.transport(.responseTooLarge), _) {
            return nil
        }
        if found.last.status == 401 { throw unreadable(found.last, type.name) }
        return found.copies.map { ($0, found.rest) }
    }

    /// What pages have brought of a search, and whether that is all.
    private struct Found {
        /// What of it is wanted; `nil` where the first page is none.
        var copies: [ServerCopy]?
        var rest = Rest.unclear
        var last: HTTPResponse

        enum Rest {
            case none
            /// The server says that there is more, and gives nobody a way to it.
            case some
            /// Links go in circles, or the last page was none.
            case unclear
        }
    }

    /// What a search finds of what is wanted, page by page.
    ///
    /// A page that brings nothing new, and a link to one that was read, are no end: some servers' links go in circles. One
    /// that leads on and brings nothing that was asked for is left: that server looks at something else, and may have millions.
    private func pages(
        _ path: String,
        _ type: ResourceType,
        maximumFailureCount: Int = .max,
        isWanted: (ServerCopy) -> Bool
    ) async throws -> Found {
        var total: Int?
        var names: Set<String> = []
        var paths: Set<String> = [path]
        var found = Found(last: try await get(path, maximumFailureCount: maximumFailureCount))
        for _ in 0..<Self.maximumPageCount {
            guard found.last.status == 200, let page = SearchPage(found.last.body) else { return found }
            let copies = page.entries.compactMap { ServerCopy($0.resource, type: type, fullURL: $0.fullURL) }
            if let base = copies.lazy.compactMap(\.base).first { experience.withLock { $0.base = base } }
            let wanted = copies.filter(isWanted)
            found.copies = (found.copies ?? []) + wanted
            let known = names.count
            names.formUnion(copies.map(\.name))
            // Those before the last page's may be estimates.
            total = page.total ?? total
            found.rest = total.map { $0 > names.count ? .some : .none } ?? (page.next == nil ? .none : .unclear)
            guard let next = page.next, names.count > known else { return found }
            let below = SearchPage.path(of: next, type, below: options.server)
            if below == nil || wanted.isEmpty { found.rest = .some }
            guard let below, !wanted.isEmpty, paths.insert(below).inserted else { return found }
            found.last = try await get(below)
        }
        found.rest = .some
        return found
    }

    /// Documents may be megabytes each.
    private func maximumIDCount(of type: ResourceType) -> Int {
        switch type {
        case .documentReference: return 1
        case .visionPrescription, .patient: return 4
        case .observation, .device: break
        }
        let frame = options.server.text.utf8.count + "/VisionPrescription?identifier=&_count=100".utf8.count
        return max(1, (Self.maximumURLByteCount - frame) / (ResourceID.byteCount + 1))
    }

    /// What a list asks for to bring this one.
    private func searchText(of copy: ServerCopy) -> String? { options.isConditional ? copy.ownID?.text : copy.id }

    private func key(_ copy: ServerCopy) -> ResourceID? {
        options.isConditional ? copy.ownID : ResourceID(text: copy.id)
    }

    /// The copies of what was asked for, each once.
    private static func grouped(
        _ copies: [ServerCopy],
        among ids: [ResourceID],
        keyed key: (ServerCopy) -> ResourceID?
    ) -> [ResourceID: [ServerCopy]] {
        let wanted = Set(ids)
        var groups: [ResourceID: [ServerCopy]] = [:]
        var names: Set<String> = []
        for copy in copies {
            guard let id = key(copy), wanted.contains(id), names.insert(copy.name).inserted else { continue }
            groups[id, default: []].append(copy)
        }
        return groups
    }

    /// The error for an answer that is neither a resource nor none.
    func unreadable(_ response: HTTPResponse, _ type: String) -> DeliveryError {
        response.status == 401
            ? poster.unauthorized(response)
            : .unreadable(response, url: "\(options.server.text)/\(type)")
    }
}
