internal import FHIRR4
internal import TransactionBundling

extension BundleMember {
    /// Kinds whose ids cover no value: two people's are the same.
    static let kindsWithoutValue = numbers(of: [
        "HKActivitySummary",
        "HKCharacteristicTypeIdentifierBloodType",
        "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
        "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
    ])

    /// Kinds on whole hours and minutes: two people who wear watches of the same model and software, under the same
    /// name, share each hour in which both stood.
    static let kindsOnGrid = numbers(of: [
        "HKCategoryTypeIdentifierAppleStandHour",
        "HKQuantityTypeIdentifierAppleStandTime",
        "HKQuantityTypeIdentifierAppleExerciseTime",
        "HKQuantityTypeIdentifierAppleMoveTime",
    ])

    /// Whether it is a sample that shows whose it is: two people's exports have next to none of these in common.
    ///
    /// - Parameter dailySummaryKinds: the kinds of daily summaries, whose ids are days.
    /// - Returns: whether it is.
    func tellsPerson(besides dailySummaryKinds: Set<UInt64>) -> Bool {
        ResourceType.ofSamples.contains(type) && !Self.kindsWithoutValue.contains(kind)
            && !Self.kindsOnGrid.contains(kind) && !dailySummaryKinds.contains(kind)
    }

    private static func numbers(of kinds: [String]) -> Set<UInt64> { Set(kinds.map { EncodedResource.kind(of: $0) }) }
}
