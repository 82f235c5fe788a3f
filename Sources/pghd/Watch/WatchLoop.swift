import ExportPipeline
import Glibc

/// The rounds of a watch: it looks at the folder and runs what is due.
struct WatchLoop {
    let folder: WatchedFolder
    var runs: WatchRuns
    var schedule: WatchSchedule
    var hold: WatchHold
    /// Whether each export is tried once.
    let isOnce: Bool
    let cancellation: Cancellation
    var faults = WatchFaults()
    var isFirst = true
    /// Whether the last round has settled anything.
    var hasProgressed = false
    var lastProgress = ContinuousClock.now

    /// Watches until it is told to end, or tries each export once.
    ///
    /// - Throws: `ExitStatus`: how it ended, unless each export was tried once and synced.
    mutating func run() throws {
        while !cancellation.isCancelled {
            let start = ContinuousClock.now
            let isFirstLook = isFirst
            guard let exports = try look() else {
                sleep(.seconds(1))
                continue
            }
            // With many folders it may take long.
            if isFirstLook { lastProgress = .now }
            let pause = WatchSchedule.pause(after: .now - start)
            let due = schedule.due(exports, at: .now, once: isOnce)
            hasProgressed = false
            try attempt(due, until: .now + pause)
            if isOnce, hold.holds(at: .now), !cancellation.isCancelled {
                let hasTold = try attemptAnother(of: due)
                lastProgress = .now
                guard hold.holds(at: .now) else { continue }
                let left = exports.count { schedule.outcome(of: $0) == nil }
                if left > 0 { say("pghd: \(folder.path): \(hold.sentence(left: left, hasAnotherTold: hasTold))") }
                return try end(exports)
            }
            if hasProgressed { lastProgress = .now }
            guard !hasProgressed || hold.holds(at: .now) else { continue }
            if isOnce {
                let left = exports.filter { schedule.outcome(of: $0) == nil }
                if left.isEmpty { return try end(exports) }
                if .now - lastProgress >= schedule.longSettling {
                    for export in left { say("pghd: \(export.path): \(WatchSchedule.restlessSentence)") }
                    return try end(exports)
                }
            }
            sleep(pause)
        }
        throw ExitStatus.interrupted
    }

    /// Runs those that are due, until all have to wait or the folder is to be looked at again: a run takes time, and
    /// much may have changed meanwhile.
    private mutating func attempt(_ due: [WatchedExport], until end: ContinuousClock.Instant) throws {
        for export in due where !cancellation.isCancelled {
            if .now >= end || hold.holds(at: .now) { return }
            guard let ending = try attempt(export, othersWait: due.count > 1) else { continue }
            if let wait = hold.note(ending, of: export.patientID, at: .now), !isOnce {
                say("pghd: \(folder.path): \(hold.sentence(wait))")
            }
        }
    }

    /// Runs others until one shows whether all share the reason for waiting.
    ///
    /// An export that is not whole yet does not show it: it asks no server. They are tried in random order: the first
    /// and the last ones are the same each night, and some may fail each night.
    ///
    /// - Returns: whether one has shown it.
    private mutating func attemptAnother(of due: [WatchedExport]) throws -> Bool {
        for export in due.shuffled() where schedule.outcome(of: export) == nil && !cancellation.isCancelled {
            guard let ending = try attempt(export, othersWait: due.count > 1) else { continue }
            _ = hold.note(ending, of: export.patientID, at: .now)
            if WatchHold.isSharedReason(ending) || !hold.holds(at: .now) { return true }
        }
        return false
    }

    /// Syncs one export, if it is still as it was seen and is whole.
    ///
    /// - Returns: how its run ended; `nil` without one.
    private mutating func attempt(_ export: WatchedExport, othersWait: Bool) throws -> SyncProcess.Ending? {
        let file: WatchedFile
        do throws(WatchedFolder.Fault) {
            guard let opened = try WatchedFile(export) else { return nil }
            file = opened
            if let outcome = try outcomeWithoutRun(of: export, file) {
                hasProgressed = true
                schedule.note(outcome, of: export, at: .now)
                return nil
            }
        } catch {
            say("pghd: \(export.path): \(error.sentence)")
            hasProgressed = true
            schedule.note(.later, of: export, at: .now)
            return nil
        }
        hasProgressed = true
        let change = WatchedFolder.lastChange(of: export)
        var (outcome, ending) = try runs.sync(
            export,
            file,
            wasTried: schedule.outcome(of: export) == .later,
            othersWait: othersWait
        ) { [cancellation] in cancellation.isCancelled }
        // A copy over it that keeps the source's times leaves the stamp as it was, although the run saw only a part.
        if outcome == .faulty, WatchedFolder.lastChange(of: export) != change { outcome = .later }
        let wait = schedule.note(outcome, of: export, at: .now)
        // Only such a run may have brought anything.
        if [.done, .damaged, .refused].contains(ending.status) { schedule.giveLastWord(after: export) }
        if outcome != .done {
            let isLeft = isOnce || cancellation.isCancelled
            say("pghd: \(export.path): \(ending.sentence): \(outcome.sentence(wait, isLeft: isLeft))\(ending.advice)")
        }
        return ending
    }

    /// The outcome of an export that can't be synced as it is; `nil` for one that can.
    private mutating func outcomeWithoutRun(
        of export: WatchedExport,
        _ file: WatchedFile
    ) throws(WatchedFolder.Fault) -> WatchSchedule.Outcome? {
        let isWhole = try file.isWhole()
        let isNews = schedule.note(isWhole: isWhole, of: export)
        if isWhole { return nil }
        // Bytes after its end may hide it. If it is a copy that has paused, sync sends nothing of it.
        let isZip = file.isZip
        if isZip, isOnce || schedule.outcome(of: export) == .unfinished { return nil }
        let next =
            isZip
            ? "(expected a whole zip): it is looked at when it changes, or has been still for a minute"
            : "(expected </HealthData>): it is looked at when it changes; if that is all of it, 'pghd sync' says more, or takes it"
        if isNews { say("pghd: \(export.path): has no end yet \(next)") }
        return isZip ? .unfinished : .faulty
    }

    /// What lies there now; each fault is said once.
    ///
    /// - Returns: `nil` where a folder that could be read before can't be read for now, such as while it is mounted
    ///   again.
    /// - Throws: `ExitStatus.unreadable` where it could never be read, or is looked at only once.
    private mutating func look() throws -> [WatchedExport]? {
        do throws(WatchedFolder.Fault) {
            faults.begin()
            let exports = try folder.exports { path, fault in
                if faults.note(fault, of: path) { say("pghd: \(path): \(fault.sentence)") }
            }
            isFirst = false
            schedule.note(exports, unreadable: faults.unreadablePaths, at: .now)
            return exports
        } catch {
            faults.keepKnown()
            // The first patient may be still to come.
            if error == .empty { isFirst = false }
            guard isOnce || isFirst else {
                if faults.note(error, of: folder.path) { say("pghd: \(folder.path): \(error.sentence)") }
                return nil
            }
            guard error != .empty else {
                say("pghd: \(folder.path): \(error.sentence)")
                throw ExitStatus.unreadable
            }
            let reason = error.reason.map { "\($0), " } ?? ""
            let place = folder.path.isEmpty ? "''" : folder.path
            say(
                "pghd: \(place): can't be read (\(reason)expected a folder with one for each patient): check the path"
            )
            throw ExitStatus.unreadable
        }
    }

    /// Ends a watch that has tried each export once.
    ///
    /// - Throws: `ExitStatus.damaged` where one waits for a person, else `.unreachable` where one waits for anything
    ///   else.
    private func end(_ exports: [WatchedExport]) throws {
        let outcomes = exports.map { schedule.outcome(of: $0) }
        if faults.leaveExports || outcomes.contains(.faulty) || outcomes.contains(.rarely) { throw ExitStatus.damaged }
        if faults.mayPass || outcomes.contains(.later) || outcomes.contains(nil) { throw ExitStatus.unreachable }
    }

    private func sleep(_ pause: Duration) {
        let end = ContinuousClock.now + pause
        while !cancellation.isCancelled, .now < end { usleep(200_000) }
    }
}
