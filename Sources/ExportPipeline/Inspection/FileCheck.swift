internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

/// Checks whether the files next to the main XML can be read, for each kind that `pghd` can convert, in order of their
/// names.
///
/// Electrocardiograms are read to their last sample; routes and clinical records are only checked for completeness.
/// Memory is one file, at most ``FilePass/maximumByteCount``.
struct FileCheck {
    /// How many bytes were read.
    private(set) var byteCount: UInt64 = 0
    /// Faults, as a conversion counts them.
    private(set) var faults: [Malformation] = []
    /// The electrocardiograms that can be read.
    private(set) var electrocardiograms: [InspectionReport.ElectrocardiogramSummary] = []

    /// Reads them all.
    init(_ input: ExportInput, _ cancellation: Cancellation) throws {
        for kind in [ExportMember.Kind.electrocardiogram, .workoutRoute, .clinicalRecord] {
            for member in input.members(of: kind) {
                try cancellation.check()
                try read(member, of: input, cancellation)
            }
        }
    }

    private mutating func read(
        _ member: ExportMember,
        of input: ExportInput,
        _ cancellation: Cancellation
    ) throws(ExportPipelineError) {
        let isElectrocardiogram = member.kind == .electrocardiogram
        let most = isElectrocardiogram ? Electrocardiogram.maximumByteCount : FilePass.maximumByteCount
        do throws(MemberFault) {
            let bytes = try input.contents(of: member, atMost: most) { cancellation.isCancelled }
            byteCount += UInt64(bytes.count)
            let kind: ReferencedFile.Kind? =
                switch member.kind {
                case .workoutRoute: .route
                case .clinicalRecord: .clinicalRecord
                default: nil
                }
            if let kind, !kind.isWhole(bytes) { faults.append(Malformation(kind: .unreadableFile, in: member)) }
            guard isElectrocardiogram else { return }
            if let fault = MemberFault(ofText: bytes) { throw fault }
            do throws(ElectrocardiogramFault) {
                let electrocardiogram = try Electrocardiogram(bytes)
                guard FHIRDateTime.range.contains(electrocardiogram.recorded) else {
                    return faults.append(Malformation(kind: .electrocardiogramHeader, in: member))
                }
                electrocardiograms.append(InspectionReport.ElectrocardiogramSummary(electrocardiogram))
            } catch {
                faults.append(Malformation(kind: error.kind, in: member, byte: error.byte, line: error.line))
            }
        } catch {
            try cancellation.check()
            if let failure = input.failure(error) { throw .input(failure) }
            faults.append(Malformation(error, in: member))
        }
    }
}
