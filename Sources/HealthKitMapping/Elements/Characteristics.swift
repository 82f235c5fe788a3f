internal import FHIRR4
internal import HealthExport

/// What `Me` says about the owner: a Patient on request, and an Observation for each answer.
///
///     <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-29" HKCharacteristicTypeIdentifierBloodType="…" …/>
///
/// Nothing in it has a date, a source or a device: they are the owner's answers in the Health app
/// (docs/decisions/0013-characteristics.md).
struct Characteristics {
    static let dateOfBirth = "HKCharacteristicTypeIdentifierDateOfBirth"
    static let biologicalSex = "HKCharacteristicTypeIdentifierBiologicalSex"

    let context: MappingContext

    /// One answer that becomes an Observation.
    private struct Question {
        var type: String
        var display: String
        var loinc: Coding?
        var category: String
        /// Whether the table knows its answers.
        var isCoded = true
        /// Answers that say nothing.
        var isSilent: Set<String>
        /// What an answer that is text must contain to say something, in small letters; any text if it is empty.
        var words: [String] = []
    }

    private static let questions = [
        Question(
            type: "HKCharacteristicTypeIdentifierBloodType",
            display: "Blood type",
            loinc: .loinc("882-1", "ABO and Rh group [Type] in Blood"),
            category: "survey",
            isSilent: ["HKBloodTypeNotSet"]
        ),
        Question(
            type: "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
            display: "Fitzpatrick skin type",
            category: "survey",
            isSilent: ["HKFitzpatrickSkinTypeNotSet"]
        ),
        // Anyone who was never asked has None, so it does not say that nothing is taken. It is in the phone's language,
        // as are the only two kinds of medicines that it may name.
        Question(
            type: "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
            display: "Use of medications that affect cardio fitness",
            category: "social-history",
            isCoded: false,
            isSilent: ["None", "NotSet"],
            words: [
                "beta", "bêta", "bèta", "béta", "β", "бета", "ベータ", "베타", "倍他", "貝他", "בטא", "بيتا", "เบต้า", "เบตา",
                "calci", "cálci", "kalci", "kalsi", "kalz", "wapni", "vápn", "кальц", "ασβεστ", "カルシウム", "칼슘", "钙",
                "鈣", "סידן", "كالسيوم", "แคลเซียม", "canxi",
            ]
        ),
    ]

    func map(_ element: HealthElement) -> MappedElement {
        var mapped = MappedElement()
        mapPatient(element, &mapped)
        for question in Self.questions where isWanted {
            guard let answer = element[question.type].flatMap(\.unlessBlank), !question.isSilent.contains(answer) else {
                continue
            }
            let text = answer.lowercased()
            guard question.words.isEmpty || question.words.contains(where: text.contains) else {
                mapped.unmapped.values.append("")
                continue
            }
            mapped.units.append(.init(drafts: [observation(question, answer, &mapped)]))
        }
        return mapped
    }

    /// Answers have no date, so they are in no stretch of time; a Patient that is asked for is written in any case.
    private var isWanted: Bool {
        context.wants([ElementName.me.text]) && context.options.since == nil && context.options.until == nil
    }

    private func observation(_ question: Question, _ answer: String, _ mapped: inout MappedElement) -> ResourceDraft {
        let draft = ObservationDraft(
            codings: [question.loinc, .apple(question.type, question.display)].compactMap(\.self),
            text: question.display
        )
        draft.profiles = [ProfileURL.characteristic]
        draft.categories = [ObservationDraft.category(question.category)]
        if question.isCoded, let value = context.table.value(answer) {
            draft.value = .init("valueCodeableConcept", .concept(value.codings, text: value.text))
        } else {
            if question.isCoded { mapped.unmapped.values.append(answer) }
            draft.value = .init("valueCodeableConcept", ["text": .string(answer)])
        }
        return draft.resource(
            id: context.scheme.id(kind: "Characteristic", type: question.type, source: "", start: "", end: ""),
            digest: context.scheme.digest(of: element(answering: [(question.type, answer)])),
            kind: question.type,
            frame: nil,
            in: context
        )
    }

    /// Makes the Patient if it is asked for; else counts what it would say.
    private func mapPatient(_ element: HealthElement, _ mapped: inout MappedElement) {
        let birthDate = element[Self.dateOfBirth].flatMap(\.unlessBlank)
        let gregorian = birthDate.flatMap { BirthDate.gregorian($0) }
        let sex = element[Self.biologicalSex].flatMap { $0 == "HKBiologicalSexNotSet" ? nil : $0 }
        mapped.owner = ExportOwner(
            birthDate: gregorian,
            gender: sex.flatMap { context.table.value($0) }?.codings
                .first { $0.system == "http://hl7.org/fhir/administrative-gender" }?.code,
            digest: context.scheme.digest(of: element)
        )
        guard context.options.includesPatient, context.options.form != .conditionalCreate else {
            if isWanted, birthDate != nil || sex != nil { mapped.unmapped.elements.append(.me) }
            return
        }
        let owner = mapped.owner
        // Counted as `other`: neither is written in any form, so no name may suggest that it is.
        if birthDate != nil, owner?.birthDate == nil { mapped.unmapped.values.append("") }
        if sex != nil, owner?.gender == nil { mapped.unmapped.values.append("") }
        let patient = ResourceDraft(
            type: .patient,
            id: context.scheme.id(kind: "Patient", type: "Patient", source: "", start: "", end: ""),
            digest: context.scheme.digest(
                of: self.element(answering: [(Self.dateOfBirth, gregorian ?? birthDate), (Self.biologicalSex, sex)])
            ),
            kind: "Patient",
            body: [
                // So that it is not empty if the owner gave neither.
                .init("active", true),
                .init("gender", JSONValue(owner?.gender)),
                .init("birthDate", JSONValue(owner?.birthDate)),
            ],
            patientID: context.options.patientID
        )
        mapped.units.append(.init(drafts: [patient]))
    }

    /// `Me` with these answers alone, from which one resource's digest is made.
    private func element(answering answers: [(name: String, answer: String?)]) -> HealthElement {
        HealthElement(.me, answers.compactMap { pair in pair.answer.map { .init(pair.name, $0) } })
    }
}

extension EntryForm {
    /// Everything of a Patient before its own elements; its id is the server's.
    func patientOpening(id: String) -> String {
        self == .resource
            ? "{\"resourceType\":\"Patient\",\"id\":\"\(id)\""
            : "{\"resource\":{\"resourceType\":\"Patient\",\"id\":\"\(id)\""
    }

    /// Everything after the last element: a Patient that is there is left as it is (RFC 9110, section 13.1.2).
    func patientClosing(id: String) -> String {
        self == .resource
            ? "}" : "},\"request\":{\"method\":\"PUT\",\"url\":\"Patient/\(id)\",\"ifNoneMatch\":\"*\"}}"
    }
}
