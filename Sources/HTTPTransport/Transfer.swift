internal import CCurl
internal import Glibc

/// One request under way: owns libcurl's easy handle and collects the answer.
///
/// Used by the loop's thread alone. libcurl keeps an unretained pointer to it, which lives as
/// long as the loop holds the transfer.
@safe
final class Transfer {
    private let easy: UnsafeMutableRawPointer
    /// What libcurl says of a fault, a C string; it may hold what is not to be told.
    private let sentence: UnsafeMutablePointer<CChar>
    private let order: TransferOrder
    private let caFile: String?
    private let start = ContinuousClock.now
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var sentByteCount = 0
    private var wasRepeated = false
    private var headers: [HTTPHeader] = []
    private var headerByteCount = 0
    private var body: [UInt8] = []
    /// How many bytes there may be of what was too large.
    private var passedLimit: Int?

    var id: ObjectIdentifier { ObjectIdentifier(order.ticket) }
    var gate: TransferGate? { request.gate }
    private var request: HTTPRequest { order.request }

    init(_ order: TransferOrder, caFile: String?, userAgent: String) {
        guard let easy = unsafe pghd_easy_init() else { preconditionFailure("libcurl has no memory") }
        unsafe self.easy = easy
        unsafe sentence = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe sentence.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.order = order
        self.caFile = caFile
        setLimits()
        setTarget()
        set(CURLOPT_USERAGENT, userAgent)
        setHeaders()
        setBody()
        setCallbacks()
    }

    deinit {
        unsafe pghd_easy_cleanup(easy)
        unsafe pghd_slist_free_all(fields)
        unsafe sentence.deallocate()
    }

    func add(to multi: MultiHandle) { unsafe multi.add(easy) }

    /// Takes the transfer out of the loop and hands its result to whoever waits.
    func finish(_ result: Result<HTTPResponse, HTTPError>, from multi: MultiHandle) {
        unsafe multi.remove(easy)
        order.continuation.resume(returning: result)
    }

    /// The transfer that an easy handle belongs to.
    static func id(of easy: UnsafeMutableRawPointer) -> ObjectIdentifier? {
        var context: UnsafeMutableRawPointer?
        unsafe pghd_getinfo_pointer(easy, CURLINFO_PRIVATE, &context)
        return unsafe context.map { unsafe transfer($0).id }
    }

    /// The answer, or why there is none.
    func result(_ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        let origin = request.url.origin
        if let passedLimit { return .failure(.responseTooLarge(origin: origin, maximumByteCount: passedLimit)) }
        guard code == CURLE_OK else {
            let fault = fault(code, origin: origin)
            // What can't be sent again was sent before, on a connection that ended. Who misses a certificate hears nothing,
            // but in TLS 1.3 says so when the request may be on its way.
            let isUnheard = !wasRepeated && fault == .clientCertificateWanted(origin: origin)
            let mayBeHeard = hasSentBody && fault.isBeforeSending && !isUnheard
            return .failure(mayBeHeard ? .connectionLost(origin: origin) : fault)
        }
        return .success(
            HTTPResponse(
                status: number(CURLINFO_RESPONSE_CODE),
                headers: headers,
                body: body.starts(with: Self.byteOrderMark) ? Array(body.dropFirst(3)) : body,
                duration: ContinuousClock.now - start,
                wasRepeated: wasRepeated
            )
        )
    }

    /// `X509_V_ERR_CERT_NOT_YET_VALID` and `X509_V_ERR_CERT_HAS_EXPIRED` of OpenSSL's x509_vfy.h.
    private static let (notYetValid, hasExpired) = (9, 10)

    /// What some servers put in front of UTF-8, which no reader of JSON need take (RFC 8259, section 8.1).
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func fault(_ code: CURLcode, origin: String) -> HTTPError {
        let proxyStatus = number(CURLINFO_HTTP_CONNECTCODE)
        if proxyStatus >= 300 { return .proxy(origin: origin, status: proxyStatus) }
        if wantsClientCertificate { return .clientCertificateWanted(origin: origin) }
        switch code {
        // Neither tells of a socket that could not be made.
        case CURLE_COULDNT_RESOLVE_HOST where Self.lacksDescriptor, CURLE_COULDNT_CONNECT where Self.lacksDescriptor:
            return .noDescriptor(origin: origin)
        case CURLE_COULDNT_RESOLVE_HOST: return .unresolvedHost(origin: origin)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy(origin: origin, status: nil)
        case CURLE_COULDNT_CONNECT: return .noConnection(origin: origin)
        case CURLE_OPERATION_TIMEDOUT where request.body?.isEmpty == false && !hasSentBody:
            return .noConnection(origin: origin)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(origin: origin)
        case CURLE_PEER_FAILED_VERIFICATION:
            switch number(CURLINFO_SSL_VERIFYRESULT) {
            case Self.notYetValid: return .certificateOutOfDate(origin: origin, hasExpired: false)
            case Self.hasExpired: return .certificateOutOfDate(origin: origin, hasExpired: true)
            default: return .untrustedCertificate(origin: origin, caFile: caFile)
            }
        case CURLE_SSL_CACERT_BADFILE:
            return caFile.map { .unusableCAFile(path: $0) } ?? .noAuthorities(origin: origin)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM: return .noTLS(origin: origin)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            return .connectionLost(origin: origin)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return .malformedResponse(origin: origin)
        default: return .other(origin: origin, curlCode: code.rawValue)
        }
    }

    /// Whether the server has ended TLS for want of a certificate of ours: with the alert 116, which TLS 1.3 alone has and
    /// no code of libcurl's tells.
    ///
    /// Source: RFC 8446, section 6.2; the words are those of OpenSSL and GnuTLS.
    private var wantsClientCertificate: Bool {
        let text = unsafe String(cString: sentence).lowercased()
        return text.contains("certificate required") || text.contains("certificate is required")
    }

    /// Whether any of the body may have left, now or on a connection before.
    private var hasSentBody: Bool { wasRepeated || sentByteCount > 0 }

    /// Whether no other file could be opened now.
    private static var lacksDescriptor: Bool {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            return false
        }
        return errno == EMFILE || errno == ENFILE
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe pghd_getinfo_long(easy, info, &value)
        return value
    }
}

// MARK: - What libcurl is told

extension Transfer {
    private func setLimits() {
        let limits = request.limits
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, limits.total.wholeMilliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, max(limits.idle.wholeMilliseconds / 1000, 1))
    }

    private func setTarget() {
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // Unpacked by libcurl on its way here: limits count what comes out.
        set(CURLOPT_ACCEPT_ENCODING, "gzip")
        set(CURLOPT_HTTP_VERSION, Int(request.isAlone ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // A token for this machine must not travel to a proxy and back.
        if request.url.isLoopback { set(CURLOPT_PROXY, "") }
        if let caFile {
            set(CURLOPT_CAINFO, caFile)
            // Without this the system's folder of authorities would count beside the file.
            unsafe pghd_setopt_string(easy, CURLOPT_CAPATH, nil)
        }
        if request.connection == .fresh {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
    }

    private func setHeaders() {
        for header in request.headers { append("\(header.name): \(header.value)") }
        if let authorization = request.authorization { append("Authorization: \(authorization.value)") }
        // Above 1 MB libcurl would ask first and wait a second for servers that don't answer that.
        append("Expect:")
        unsafe pghd_setopt_pointer(easy, CURLOPT_HTTPHEADER, fields)
    }

    private func append(_ field: String) { unsafe fields = pghd_slist_append(fields, field) }

    private func setBody() {
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .post: set(CURLOPT_POST, 1)
        case .put: set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        guard request.body != nil || request.method == .post else { return }
        set(CURLOPT_POST, 1)
        // Fewer and larger writes: bodies of a transaction are up to a megabyte. Above 128 KB each buffer would
        // come from the system, and every page of it cost a fault.
        set(CURLOPT_UPLOAD_BUFFERSIZE, 96 << 10)
        unsafe pghd_setopt_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body?.count ?? 0))
    }

    private func setCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pghd_setopt_pointer(easy, CURLOPT_ERRORBUFFER, sentence)
        for option in [CURLOPT_PRIVATE, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
            unsafe pghd_setopt_pointer(easy, option, context)
        }
        unsafe pghd_setopt_data_function(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
            return unsafe Transfer.transfer(context).send(
                into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            )
        }
        unsafe pghd_setopt_seek_function(easy, CURLOPT_SEEKFUNCTION) { context, offset, origin in
            guard let context = unsafe context, origin == 0 else { return CURL_SEEKFUNC_FAIL }
            return unsafe Transfer.transfer(context).rewind(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
        unsafe pghd_setopt_data_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
            return unsafe Transfer.transfer(context).receive(
                UnsafeRawBufferPointer(start: bytes, count: size * count)
            )
        }
        unsafe pghd_setopt_data_function(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
            return unsafe Transfer.transfer(context).receiveHeader(
                UnsafeRawBufferPointer(start: bytes, count: size * count)
            )
        }
    }

    private func set(_ option: CURLoption, _ value: Int) { unsafe pghd_setopt_long(easy, option, value) }
    private func set(_ option: CURLoption, _ text: String) { unsafe pghd_setopt_string(easy, option, text) }
}

// MARK: - What libcurl asks and brings

extension Transfer {
    private static func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = request.body else { return 0 }
        let count = min(buffer.count, body.count - sentByteCount)
        unsafe body.withUnsafeBytes { bytes in
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[sentByteCount..<sentByteCount + count])
            unsafe buffer.copyMemory(from: part)
        }
        sentByteCount += count
        return count
    }

    /// libcurl sends the body again by itself where an old connection turns out to have ended.
    ///
    /// - Returns: whether it may.
    private func rewind(to offset: Int) -> Bool {
        if sentByteCount > offset { wasRepeated = true }
        sentByteCount = offset
        return request.mayRepeat || !wasRepeated
    }

    /// Takes in a part of the body; anything but its length stops the transfer.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= request.limits.maximumBodyByteCount else {
            passedLimit = request.limits.maximumBodyByteCount
            return 0
        }
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Takes in one line of a header, its line feed too.
    private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerByteCount += bytes.count
        guard headerByteCount <= HTTPLimits.maximumHeaderByteCount else {
            passedLimit = HTTPLimits.maximumHeaderByteCount
            return 0
        }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // A header in front of the final one: 100 Continue, or the proxy's.
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            headers.append(HTTPHeader(String(line[..<colon]), value.trimmingSpace))
        }
        return bytes.count
    }
}

extension Substring {
    fileprivate var trimmingSpace: String {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}

extension Duration {
    /// One at least: to libcurl 0 is no limit, and what is over is over at once.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        return max(Int(max(seconds, 0)) * 1000 + Int(attoseconds / 1_000_000_000_000_000), 1)
    }
}
