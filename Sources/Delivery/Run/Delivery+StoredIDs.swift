internal import FHIRR4
internal import TransactionBundling

// The ids under which the server has what it did not create again.
extension Delivery {
    /// The answers, with the server's id for each resource that was there already.
    ///
    /// For servers that update by id alone. An answer may name no id, or that of another resource, which an update
    /// would replace. So our identifier is searched for; if the index does not know it yet, the answer counts.
    ///
    /// - Parameters:
    ///   - answers: one for each entry.
    ///   - part: what was posted.
    /// - Returns: the answers; those whose id can't be found out are refused (412), as there is nothing to update.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, ``DeliveryError/unauthorized(_:server:)``, or the
    ///   authorizer's error.
    func naming(_ answers: [TransactionResponse.Entry], of part: Part) async throws -> [TransactionResponse.Entry] {
        guard options.updatesByID else { return answers }
        var answers = answers
        let present = OpenEntries.present(part, answers, options)
        for type in ResourceType.allCases {
            let ours = present.compactMap { number in
                part.bundle.entries[number].member.flatMap { $0.type == type ? (number, $0.id) : nil }
            }
            guard !ours.isEmpty else { continue }
            let found = try await copies(of: ours.map(\.1), type)
            for (number, id) in ours {
                if let copy = found[id]?.first {
                    answers[number].id = copy.id
                } else if answers[number].usableID == nil {
                    answers[number].status = 412
                }
            }
        }
        return answers
    }

    private func copies(of ids: [ResourceID], _ type: ResourceType) async throws -> [ResourceID: [ServerCopy]] {
        do { return try await indexLookup.find(ids, type) } catch DeliveryError.unreadableServer {
            // If it lets nobody search, its answers are all that there is.
            return [:]
        }
    }
}
