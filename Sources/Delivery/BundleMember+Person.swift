internal import FHIRR4
internal import TransactionBundling

extension BundleMember {
    /// Kinds whose ids have no value: two people's are the same.
    static let kindsWithoutValue = numbers(of: [
        "HKActivitySummary",
        "HKCharacteristicTypeIdentifierBloodType",
        "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
        "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
    ])

    /// Kinds of whole hours and minutes: who wears a watch of the same model and software, under the same name, shares each
    /// hour that both stood in.
    static let kindsOnGrid = numbers(of: [
        "HKCategoryTypeIdentifierAppleStandHour",
        "HKQuantityTypeIdentifierAppleStandTime",
        "HKQuantityTypeIdentifierAppleExerciseTime",
        "HKQuantityTypeIdentifierAppleMoveTime",
    ])

    /// Whether it is a sample of one person: two people's exports have next to none of these in common.
    ///
    /// - Parameter dailySummaryKinds: those of daily summaries, whose ids are days.
    /// - Returns: whether it is.
    func tellsPerson(besides dailySummaryKinds: Set<UInt64>) -> Bool {
        ResourceType.ofSamples.contains(type) && !Self.kindsWithoutValue.contains(kind)
            && !Self.kindsOnGrid.contains(kind) && !dailySummaryKinds.contains(kind)
    }

    private static func numbers(of kinds: [String]) -> Set<UInt64> { Set(kinds.map { EncodedResource.kind(of: $0) }) }
}
