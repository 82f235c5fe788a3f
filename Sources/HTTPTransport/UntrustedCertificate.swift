/// What a certificate of an unknown authority asks for.
enum UntrustedCertificate {
    /// What is wrong and what to do next, after the name of the certificate.
    static func sentence(caFile: String?) -> String {
        guard let caFile else {
            return "can't be trusted (expected one of a known authority): give your organisation's authority with "
                + "--ca-file"
        }
        // In the command, a hyphen would begin an option. What is written must not be what is read: the shell would
        // empty it first.
        let path = caFile.hasPrefix("-") ? "./\(caFile)" : caFile
        return "can't be trusted (expected one of an authority in '\(caFile)', which stand in place of the system's): "
            + "for both, run cat /etc/ssl/certs/ca-certificates.crt \(quoted(path)) > \(quoted(path + ".all")), and give that with "
            + "--ca-file"
    }

    /// `text` as one word of a shell's command.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}
