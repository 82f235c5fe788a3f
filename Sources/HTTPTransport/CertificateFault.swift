/// Why OpenSSL or libcurl refused a certificate.
enum CertificateFault {
    case outOfDate(hasExpired: Bool)
    case otherHost
    case untrusted

    /// - Parameter result: OpenSSL's result (x509_vfy.h), as libcurl gives it.
    init(result: Int) {
        switch result {
        // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
        case 9: self = .outOfDate(hasExpired: false)
        case 10: self = .outOfDate(hasExpired: true)
        // libcurl compares the host by itself, after OpenSSL has found the chain good. Its result is then still the one
        // that libcurl begins with. The others are X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH.
        case 1, 62, 64: self = .otherHost
        default: self = .untrusted
        }
    }
}
