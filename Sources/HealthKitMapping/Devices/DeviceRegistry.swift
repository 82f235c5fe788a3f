package import FHIRR4
internal import Synchronization

/// The Devices of one run: each distinct one once, with a number that entries refer to.
///
/// Shared by all workers, which ask it for a record only when a new combination of source and device turns up, some
/// hundred times a run. Numbers depend on the threads' timing, but not what is written: the committer writes Devices in
/// the order in which entries refer to them.
package final class DeviceRegistry: Sendable {
    private struct Contents {
        var numbers: [ResourceID: Int32] = [:]
        var devices: [EncodedDevice] = []
    }
    private let contents = Mutex(Contents())

    /// An empty registry.
    package init() {}

    /// The number of the Device with this id; `make` writes it if it is new.
    func number(of id: ResourceID, orInsert make: () -> EncodedDevice) -> Int32 {
        contents.withLock { contents in
            if let number = contents.numbers[id] { return number }
            let number = Int32(contents.devices.count)
            contents.devices.append(make())
            contents.numbers[id] = number
            return number
        }
    }

    /// The id of the Device with this number.
    package func id(_ number: Int32) -> ResourceID {
        contents.withLock { $0.devices[Int(number)].id }
    }

    /// Frees the memory of a Device that will not be written again: its id stays known, its JSON does not.
    ///
    /// A phone's export has some hundred; one with another source in each record would fill the memory.
    package func release(_ number: Int32) {
        contents.withLock { $0.devices[Int(number)].json = [] }
    }

    /// The Device with this number.
    package func device(_ number: Int32) -> EncodedDevice {
        contents.withLock { $0.devices[Int(number)] }
    }
}

/// A Device as it is written, in the run's entry form.
package struct EncodedDevice: Sendable {
    /// Its logical id.
    package let id: ResourceID
    /// Its digest: bytes 16 to 23 of the hash that begins with its id, since the id covers all its content.
    let digest: UInt64
    /// The resource or Bundle entry as JSON; empty once it was released.
    package fileprivate(set) var json: [UInt8]

    /// The row that accompanies it in a group of Devices.
    package var row: EncodedResource {
        var row = EncodedResource(
            id: id,
            digest: digest,
            rank: 0,
            kind: 0,
            start: 0,
            count: UInt32(json.count),
            device: -1,
            gateway: -1
        )
        row.type = .device
        return row
    }
}
