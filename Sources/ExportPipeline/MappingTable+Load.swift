package import HealthKitMapping

extension MappingTable {
    /// The mapping that a run uses: from a folder, or the program's own.
    ///
    /// - Parameter profilesFolder: a folder that holds the same files as `profiles/`.
    /// - Returns: the table; reading it takes a few milliseconds.
    /// - Throws: `ExportPipelineError.profile`, which names the file and the key.
    package static func load(profilesFolder: String?) throws(ExportPipelineError) -> MappingTable {
        do throws(ProfileError) {
            if let profilesFolder { return try MappingTable(folder: profilesFolder) }
            return try .embedded()
        } catch {
            throw .profile(error)
        }
    }
}
