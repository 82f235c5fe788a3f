import OpenSSLCrypto

/// What HealthKit's types, units and values mean in FHIR, as the files of `profiles/` say.
///
/// Reading a folder takes some ten milliseconds; the program's own table takes three, once per process. Make one at the
/// start and pass it on.
package struct MappingTable: Sendable {
    /// The names of the files that are read from a folder of profiles.
    package static let profileFiles = ProfileSet.files

    /// The version that all files carry, such as `1`.
    package let version: String
    /// What the Bundles' keys say about the mapping: the version, and for files that are not the program's own also the
    /// first 16 hex digits of their SHA-256, such as `1-5d41402abc4b2a76`.
    package private(set) var fingerprint: String
    /// Every type once, sorted by identifier.
    package let types: [TypeMapping]
    /// Other identifiers of a type, each with the one that exports use:
    /// `HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent` is `HKCategoryTypeIdentifierAudioExposureEvent`.
    package let aliases: [String: String]

    /// Words for Apple's other names that are written as codes, such as `HKHeartRateEventThreshold`.
    let otherDisplays: [String: String]
    let units: UnitTable
    private let values: ValueTable
    /// The place of each type's mapping in `types`, by its identifier and its aliases.
    private let positions: [String: Int]

    private static let own = Result { () throws(ProfileError) in
        try MappingTable(ProfileSet())
    }

    /// The table that is built into the program.
    ///
    /// - Throws: ``ProfileError`` only if the program was built from files that contradict each other.
    package static func embedded() throws(ProfileError) -> MappingTable {
        try own.get()
    }

    /// Reads the table from a folder that holds the same files as `profiles/`.
    ///
    /// - Parameter folder: the folder's path, such as `./my-profiles`.
    /// - Throws: ``ProfileError``, which names the file and the key.
    package init(folder: String) throws(ProfileError) {
        let contents = ProfileSet.folder(folder)
        try self.init(ProfileSet(contents: contents))
        if let digest = try ProfileSet.digest(of: contents) { fingerprint += "-\(digest.hex.prefix(16))" }
    }

    /// Joins the files, and checks that they agree.
    init(_ profiles: ProfileSet) throws(ProfileError) {
        version = try profiles.commonVersion()
        fingerprint = version
        let catalog = try TypeCatalog(profiles.codeSystem)
        let codes = try TypeCodes(profiles.types, catalog: catalog)
        units = try UnitTable(profiles.units, catalog: catalog)
        values = try ValueTable(profiles.values, catalog: catalog)
        try values.checkSystems(of: catalog, in: profiles.codeSystem)
        var types: [TypeMapping] = []
        for entry in catalog.entries {
            types.append(
                TypeMapping(
                    entry: entry,
                    category: try codes.category(of: entry.identifier),
                    standardCodings: codes.codings(of: entry.identifier),
                    units: units.lookup(for: entry.identifier),
                    values: values.lookup(for: entry.identifier)
                )
            )
        }
        self.types = types
        aliases = catalog.aliases
        otherDisplays = catalog.otherDisplays
        var positions = catalog.positions
        for (alias, identifier) in catalog.aliases { positions[alias] = positions[identifier] }
        self.positions = positions
    }

    /// What a type means.
    ///
    /// - Parameter identifier: a `Record`'s `type`, such as `HKQuantityTypeIdentifierHeartRate`; aliases are resolved.
    /// - Returns: its mapping, or `nil` for a type that the table doesn't know.
    package func type(_ identifier: String) -> TypeMapping? {
        positions.value(ofExactly: identifier).map { types[$0] }
    }

    /// What a raw number of one of Apple's enumerations means.
    ///
    /// - Parameters:
    ///   - number: in digits, such as `1`.
    ///   - system: the enumeration, such as
    ///     `https://developer.apple.com/documentation/healthkit/hkheartratemotioncontext`.
    /// - Returns: codes and words, or `nil` for a number that the table doesn't know.
    package func value(number: String, in system: String) -> ValueMapping? { values.mapping(of: number, in: system) }

    /// Every activity of a workout, by its raw number: `HKWorkoutActivityTypeRunning` is 37.
    var workoutActivities: [(number: Int, name: String, mapping: ValueMapping)] {
        values.lookup().all(in: ValueTable.workoutActivitySystem)
    }

    /// What a unit means by itself, for values that belong to no known type, such as those in metadata.
    ///
    /// `count` is plainly `1` here; ``TypeMapping/unit(_:)`` knows that steps are counted.
    ///
    /// - Parameter appleUnit: Apple's spelling, such as `count/min`.
    /// - Returns: UCUM code and label, or `nil` for a unit that the table doesn't know.
    package func unit(_ appleUnit: String) -> UnitMapping? {
        units.shared.value(ofExactly: UnitTable.withoutMolarMass(appleUnit))
    }

    /// What the name of an enumeration's case means.
    ///
    /// - Parameter name: such as `HKWorkoutActivityTypeRunning`.
    /// - Returns: codes and words, or `nil` for a name that the table doesn't know.
    package func value(_ name: String) -> ValueMapping? { values.byName.value(ofExactly: name) }
}
