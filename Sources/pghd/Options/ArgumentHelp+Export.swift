import ArgumentParser

extension ArgumentHelp {
    /// What a command that reads an export takes for one.
    static let export = ArgumentHelp("export.zip, an unpacked folder, export.xml, or - for XML on standard input.")
}
