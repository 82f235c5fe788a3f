internal import FHIRR4
internal import HTTPTransport
internal import Synchronization

/// Finds pghd's resources on the server, many with one request where it allows that.
///
///     GET Observation?_id=h…,h…,h…&_count=100                  where the server uses our ids
///     GET Observation?identifier=h…,h…,h…&_count=100           where it chooses its own
///
/// A list of identifiers names no system: that would nearly double its length, and some servers would then look through
/// all identifiers of all resources. Results count only if they carry our system. A resource that a list does not bring
/// is also asked for alone, since a server may not understand lists, may give small pages, or may find late what it has
/// stored. Lists are believed only once many such answers have agreed with lists that brought something.
final class ResourceLookup: Sendable {
    /// How often a page is requested to learn the server's base, which it may never show.
    private static let maximumBaseQuestionCount = 3
    /// The longest URL that every server and proxy takes.
    private static let maximumURLByteCount = 2000
    private static let maximumIDCount = 50
    /// A server that fails this often at a list, and not at single resources, takes no lists.
    static let maximumFailureCount = 3
    private static let maximumPageCount = 1000
    /// How many Devices a page may have: a key-only server may have one from each Bundle, and some servers refuse
    /// larger pages.
    private static let devicePageSize = 100
    /// After this many answers that agree, lists are believed where something is to be proven.
    static let enoughConfirmations = 256
    /// Answers are larger than what was sent: servers add elements of their own and indent.
    static let limits = HTTPLimits(maximumBodyByteCount: 128 << 20)

    let options: DeliveryOptions
    let poster: Poster
    /// After how many faults of the server's own a single resource counts as unreadable.
    private let maximumSingleFailureCount: Int
    /// After this many answers that agree, lists are believed.
    private let enoughConfirmations: Int
    private let experience = Mutex(Experience())
    private let requests = Atomic<UInt64>(0)

    /// What the server has shown so far.
    private struct Experience {
        var takesLists = true
        /// How many ids a list of a type may have, where its pages hold fewer than usual.
        var sizes: [ResourceType: Int] = [:]
        /// Whether a list has brought more than one resource.
        var lists = false
        /// How many single reads were made after lists that brought something, and after lists that brought nothing.
        var confirmations = 0
        var absences = 0
        /// Whether long lists have been shown to work, and for which types that was not tried yet.
        var isProven = false
        var unproven = Set(ResourceType.allCases)
        var isContradicted = false
        /// The base by which the server knows its resources, as a page has shown; a resource that is read alone does
        /// not show it.
        var base: String?
        /// How often a page was requested only to learn that.
        var baseQuestionCount = 0

        /// How many ids a list may have; 1 where the server takes no lists.
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

    /// The number of requests so far; a repeated one counts once.
    var requestCount: UInt64 { requests.load(ordering: .relaxed) }

    /// The server's copies of these resources: none for one that it does not have, several for one that is doubled.
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
            // Where the server chooses ids, a copy that the page leaves out may be a second one of the same resource.
            let isWhole = page.rest == .none || (page.rest == .unclear && matches.count == some.count)
            if !isWhole, options.isConditional || matches.count < some.count {
                // The server's pages are smaller than requested, and nothing leads on from them.
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

    /// Finds out whether lists work where they never brought anything: by a resource that is known to be there, put
    /// first in a list and then last.
    ///
    /// Otherwise, if the server has next to nothing of an export, each resource would be asked for alone.
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
        // What a short list shows says nothing about long ones, so this one is filled up to the full length, with ids
        // that no resource has.
        let nobodys = (0..<UInt64(max(size - ids.count, 0))).map { ResourceID(high: 0, low: $0) }
        let texts = (ids.dropFirst() + nobodys).map(\.text)
        for list in [[text] + texts, texts + [text]] {
            guard let found = try await self.list(list, type)?.copies, found.contains(where: { $0.name == copy.name })
            else { return }
        }
        experience.withLock { $0.isProven = true }
    }

    /// The copies of a resource on a server that chooses ids; `nil` where it can't be searched, or brings only other
    /// resources.
    ///
    /// - Returns: the copies; whether these are all, judged by the links between pages, since a total may count other
    ///   resources; and the last answer.
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

    /// The copies of one resource: read by its id, or searched by its identifier.
    private func find(_ id: ResourceID, _ type: ResourceType) async throws -> [ServerCopy] {
        if !options.isConditional {
            guard var copy = try await read("\(type.name)/\(id.text)", type) else { return [] }
            if copy.base == nil, copy.namesPatientByURL { copy.base = await learnBase(from: id, type) }
            return [copy]
        }
        let found = try await search(id, type)
        // An incomplete result shows neither that there are none nor how many there are.
        guard let copies = found.copies, found.rest == .none || (found.rest == .unclear && !copies.isEmpty) else {
            throw unreadable(found.last, type.name)
        }
        return Self.grouped(copies, among: [id], keyed: key)[id] ?? []
    }

    /// Requests a page with one of pghd's resources, to learn by which base the server knows its resources.
    private func learnBase(from id: ResourceID, _ type: ResourceType) async -> String? {
        let asks = experience.withLock { experience in
            experience.baseQuestionCount += 1
            return experience.baseQuestionCount <= Self.maximumBaseQuestionCount
        }
        // An error here does not matter: the resource itself was read.
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
            // A server that has no such resource need not say so in JSON.
            wantsJSON: path.contains("?")
        )
    }

    /// Whether the server says that a resource was there and was deleted (410).
    ///
    /// - Throws: as `find(_:_:)`.
    func wasDeleted(_ id: ResourceID, _ type: ResourceType) async throws -> Bool {
        guard !options.isConditional else { return false }
        return try await get("\(type.name)/\(id.text)").status == 410
    }

    /// The copies that a list brings; `nil` where the server does not take it.
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

    /// What the pages of a search have brought, and whether that is all.
    private struct Found {
        /// The copies that are wanted; `nil` where the first answer is not a page.
        var copies: [ServerCopy]?
        var rest = Rest.unclear
        var last: HTTPResponse

        enum Rest {
            case none
            /// The server says that there is more, and shows no way to it.
            case some
            /// Links go in circles, or the last answer was not a page.
            case unclear
        }
    }

    /// What a search finds, page by page, keeping the copies that are wanted.
    ///
    /// A page that brings nothing new, or links to a page that was read already, does not prove that this is all: some
    /// servers' links go in circles. If a page leads on but brings nothing that was asked for, the search ends: the
    /// server ignores the query, and may have millions of resources.
    private func pages(
        _ path: String,
        _ type: ResourceType,
        maximumFailureCount: Int,
        isWanted: (ServerCopy) -> Bool
    ) async throws -> Found {
        var total: Int?
        var names: Set<String> = []
        var paths: Set<String> = [path]
        var found = Found(last: try await get(path, maximumFailureCount: maximumFailureCount))
        for _ in 0..<Self.maximumPageCount {
            guard found.last.status == 200, let page = SearchPage(found.last.body) else { return found }
            // Devices say nothing about what else may be searched for.
            if type != .device { poster.state.noteSearch() }
            var copies = page.entries.compactMap { ServerCopy($0.resource, type: type, fullURL: $0.fullURL) }
            var once: Set<String> = []
            let repeated = Set(copies.lazy.map(\.name).filter { !once.insert($0).inserted })
            if !repeated.isEmpty {
                for number in copies.indices { copies[number].isRepeated = repeated.contains(copies[number].name) }
            }
            if let base = copies.lazy.compactMap(\.base).first { experience.withLock { $0.base = base } }
            let wanted = copies.filter(isWanted)
            found.copies = (found.copies ?? []) + wanted
            let known = names.count
            names.formUnion(copies.map(\.name))
            // The latest total counts: earlier ones may be estimates.
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

    /// How many ids of a type one list may have: as many as the URL takes, but fewer for documents, which may be
    /// megabytes each.
    private func maximumIDCount(of type: ResourceType) -> Int {
        switch type {
        case .documentReference: return 1
        case .visionPrescription, .patient: return 4
        case .observation, .device: break
        }
        let frame = options.server.text.utf8.count + "/VisionPrescription?identifier=&_count=100".utf8.count
        return max(1, (Self.maximumURLByteCount - frame) / (ResourceID.byteCount + 1))
    }

    /// The text by which a list asks for this copy.
    private func searchText(of copy: ServerCopy) -> String? { options.isConditional ? copy.ownID?.text : copy.id }

    private func key(_ copy: ServerCopy) -> ResourceID? {
        options.isConditional ? copy.ownID : ResourceID(text: copy.id)
    }

    /// The copies of the requested resources, each copy once.
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

    /// The error for an answer that shows neither that the resource is there nor that it is not.
    func unreadable(_ response: HTTPResponse, _ type: String) -> DeliveryError {
        response.status == 401
            ? poster.unauthorized(response)
            : .unreadable(response, url: "\(options.server.text)/\(type)")
    }
}
