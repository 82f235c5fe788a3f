internal import Delivery
internal import HealthExport
internal import HealthKitMapping
internal import TransactionBundling

/// Hands Bundles to a delivery instead of to a file.
final class DeliveryOutput: BundleOutput {
    private let delivery: Delivery
    private let input: ExportInput
    private let cancellation: Cancellation
    private var isChecked = false
    private(set) var byteCount: UInt64 = 0

    init(_ delivery: Delivery, of input: ExportInput, _ cancellation: Cancellation) {
        self.delivery = delivery
        self.input = input
        self.cancellation = cancellation
    }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws {
        byteCount += UInt64(bytes.byteCount)
        try delivery.add(key: key, count: count) {
            try checkInput()
            return TransactionBundle(bytes, key: key)
        }
    }

    /// Checks a zip's CRC-32 before the first Bundle that the server may not have.
    ///
    /// The conversion itself knows it only at the zip's end, when damaged values would already be on the server.
    private func checkInput() throws {
        guard !isChecked else { return }
        isChecked = true
        do throws(HealthExportError) { try input.checkMainXML { cancellation.isCancelled } } catch {
            throw ExportPipelineError.input(error)
        }
    }

    func note(exportDate: Int64) throws { try delivery.note(exportDate: exportDate) }

    func note(_ owner: ExportOwner) throws {
        try delivery.noteOwner(birthDate: owner.birthDate, gender: owner.gender)
    }

    func note(kinds: Set<UInt64>) throws { delivery.note(kinds: kinds) }
}
