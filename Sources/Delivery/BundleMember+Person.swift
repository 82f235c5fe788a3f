internal import FHIRR4
internal import TransactionBundling

extension BundleMember {
    /// Whether one person alone has it, as a sample of a second's precision: two people's exports have nothing of these in
    /// common.
    var tellsPerson: Bool { ResourceType.ofSamples.contains(type) && !Self.kindsOfAnybody.contains(kind) }

    /// Ids of these have no value, or stand for whole hours and minutes: two people's are the same, and may say the same.
    ///
    /// Who wears a watch of the same model and software, under the same name, shares each hour that both stood in.
    static let kindsOfAnybody = Set(
        [
            "HKActivitySummary",
            "HKCharacteristicTypeIdentifierBloodType",
            "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
            "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
            "HKCategoryTypeIdentifierAppleStandHour",
            "HKQuantityTypeIdentifierAppleStandTime",
            "HKQuantityTypeIdentifierAppleExerciseTime",
            "HKQuantityTypeIdentifierAppleMoveTime",
        ].map { EncodedResource.kind(of: $0) }
    )
}
