internal import CCurl
internal import Glibc

/// One request on its way: owns libcurl's easy handle and collects the answer.
///
/// Only the loop's thread uses it. libcurl keeps an unretained pointer to it, which is valid as long as the loop holds
/// the transfer.
@safe
final class Transfer {
    private let easy: UnsafeMutableRawPointer
    /// libcurl's message about a fault, a C string; it may contain what must not be printed.
    private let sentence: UnsafeMutablePointer<CChar>
    private let order: TransferOrder
    private let caFile: String?
    private let start = ContinuousClock.now
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var sentByteCount = 0
    private var wasRepeated = false
    private var handshake = HandshakeNotes()
    private var headers: [HTTPHeader] = []
    private var headerByteCount = 0
    private var body: [UInt8] = []
    /// The limit that was exceeded, in bytes; `nil` where none was.
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
        setHandshakeCallback()
    }

    deinit {
        unsafe pghd_easy_cleanup(easy)
        unsafe pghd_slist_free_all(fields)
        unsafe sentence.deallocate()
    }

    func add(to multi: MultiHandle) { unsafe multi.add(easy) }

    /// Takes the transfer out of the loop and hands its result to the waiting task.
    func finish(_ result: Result<HTTPResponse, HTTPError>, from multi: MultiHandle) {
        unsafe multi.remove(easy)
        // libcurl may keep the handle's connection for longer than this transfer exists.
        set(CURLOPT_VERBOSE, 0)
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
            // A body that may not be repeated had been sent before, on a connection that then closed. A server that
            // misses a client certificate has read nothing, but in TLS 1.3 it says so when the request may be on its
            // way already.
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

    /// What some servers put before UTF-8; readers of JSON need not accept it (RFC 8259, section 8.1).
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func fault(_ code: CURLcode, origin: String) -> HTTPError {
        // libcurl has no code for a socket that could not be made.
        let unconnected = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT]
        if unconnected.contains(code), Self.lacksDescriptor { return .noDescriptor(origin: origin) }
        if let fault = proxyFault(code) { return .proxy(origin: origin, fault: fault) }
        if wantsClientCertificate { return .clientCertificateWanted(origin: origin) }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unresolvedHost(origin: origin)
        case CURLE_COULDNT_CONNECT: return .noConnection(origin: origin)
        case CURLE_OPERATION_TIMEDOUT where request.body?.isEmpty == false && !hasSentBody:
            return .noConnection(origin: origin)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(origin: origin)
        case CURLE_PEER_FAILED_VERIFICATION:
            return switch CertificateFault(result: number(CURLINFO_SSL_VERIFYRESULT)) {
            case .outOfDate(let hasExpired): .certificateOutOfDate(origin: origin, hasExpired: hasExpired)
            case .otherHost: .certificateForAnotherHost(origin: origin, host: request.url.host)
            case .untrusted: .untrustedCertificate(origin: origin, caFile: caFile)
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

    /// What is wrong with the proxy; `nil` where there is none, or where the fault is the server's.
    private func proxyFault(_ code: CURLcode) -> ProxyFault? {
        let status = number(CURLINFO_HTTP_CONNECTCODE)
        if status >= 300 { return .status(status) }
        // 0 without TLS to a proxy, and after a handshake with it.
        let verification = number(CURLINFO_PROXY_SSL_VERIFYRESULT)
        let isHandshake = verification != 0
        // In TLS 1.3 the proxy may say so only after the handshake, in place of its answer.
        if wantsClientCertificate, isHandshake || (handshake.usesProxy && status == 0) {
            return .clientCertificateWanted
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .unusable
        // libcurl has no code of its own for a scheme that it does not know.
        case CURLE_COULDNT_CONNECT where text.hasPrefix("Unsupported proxy"): return .unusable
        case CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT: return hasNotReachedProxy ? .noConnection : nil
        case CURLE_PEER_FAILED_VERIFICATION where isHandshake:
            return switch CertificateFault(result: verification) {
            case .outOfDate(let hasExpired): .certificateOutOfDate(hasExpired: hasExpired)
            case .otherHost: .certificateForAnotherHost
            case .untrusted: .untrustedCertificate(caFile: caFile)
            }
        case CURLE_SSL_CONNECT_ERROR where isHandshake: return .noTLS
        default: return nil
        }
    }

    /// Whether no connection to the proxy could be made, which libcurl says only in its sentence.
    ///
    /// It names the proxy in place of the server: `Failed to connect to HOST port PORT after 3 ms: …`. Newer versions
    /// name both: `HOST port PORT via PROXY after`, or `HOST:PORT over proxy PROXY after`.
    private var hasNotReachedProxy: Bool {
        guard request.url.hasProxyVariable else { return false }
        let (beginning, url) = ("Failed to connect to ", request.url)
        guard text.hasPrefix(beginning), let end = text.firstRange(of: " after ") else { return false }
        let place = text[..<end.lowerBound].dropFirst(beginning.count).lowercased()
        if place.contains(" via ") || place.contains(" over proxy ") { return true }
        let host = url.host.filter { $0 != "[" && $0 != "]" }
        return place != "\(host) port \(url.port)" && place != "\(host):\(url.port)"
    }

    /// Whether the peer ended TLS because it got no client certificate, for which libcurl has no code.
    ///
    /// A libcurl that shows no messages of TLS still has the alert in its sentence; the wordings are those of OpenSSL
    /// and GnuTLS.
    private var wantsClientCertificate: Bool {
        let text = text.lowercased()
        let wordings = ["certificate required", "certificate is required", "alert bad certificate"]
        return handshake.wantsClientCertificate || wordings.contains { text.contains($0) }
    }

    private var text: String { unsafe String(cString: sentence) }

    /// Whether any of the body may have been sent, on this connection or an earlier one.
    private var hasSentBody: Bool { wasRepeated || sentByteCount > 0 }

    /// Whether no more files can be opened now.
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
        unsafe pghd_setopt_leave_hung_names(easy)
    }

    private func setTarget() {
        unsafe pghd_setopt_own_sockets(easy)
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // libcurl unpacks the body: limits count the unpacked bytes.
        set(CURLOPT_ACCEPT_ENCODING, "gzip")
        set(CURLOPT_HTTP_VERSION, Int(request.isAlone ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // A token for this machine must not travel to a proxy and back.
        if request.url.isLoopback { set(CURLOPT_PROXY, "") }
        if let caFile {
            set(CURLOPT_CAINFO, caFile)
            // Without this, the system's folder of authorities would count in addition to the file.
            unsafe pghd_setopt_string(easy, CURLOPT_CAPATH, nil)
            // The same for a proxy over TLS.
            set(CURLOPT_PROXY_CAINFO, caFile)
            unsafe pghd_setopt_string(easy, CURLOPT_PROXY_CAPATH, nil)
        }
        if request.connection == .fresh {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
    }

    private func setHeaders() {
        for header in request.headers { append("\(header.name): \(header.value)") }
        if let authorization = request.authorization { append("Authorization: \(authorization.value)") }
        // For bodies above 1 MB libcurl would send `Expect: 100-continue` and wait a second for servers that don't
        // answer it.
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
        // Fewer and larger writes: a transaction's body is up to a megabyte. A buffer above 128 KB would come from the
        // system each time, and every page of it would cost a page fault.
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

    /// Lets libcurl show what is sent and received; nothing of it is kept or printed.
    private func setHandshakeCallback() {
        guard request.url.isSecure else { return }
        unsafe pghd_setopt_pointer(easy, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
        unsafe pghd_setopt_debug_function(easy, CURLOPT_DEBUGFUNCTION) { _, kind, bytes, size, context in
            guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
            let shown = unsafe UnsafeRawBufferPointer(start: bytes, count: size)
            switch kind {
            case CURLINFO_TEXT: unsafe Transfer.transfer(context).handshake.noteText(shown)
            case CURLINFO_HEADER_OUT: unsafe Transfer.transfer(context).handshake.noteHeader(shown)
            case CURLINFO_SSL_DATA_IN: unsafe Transfer.transfer(context).handshake.noteTLS(shown, isSent: false)
            case CURLINFO_SSL_DATA_OUT: unsafe Transfer.transfer(context).handshake.noteTLS(shown, isSent: true)
            default: break
            }
            return 0
        }
        set(CURLOPT_VERBOSE, 1)
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

    /// Goes back in the body: libcurl sends it again by itself where an old connection turns out to be closed.
    ///
    /// - Returns: whether the body may be sent again.
    private func rewind(to offset: Int) -> Bool {
        if sentByteCount > offset { wasRepeated = true }
        sentByteCount = offset
        return request.mayRepeat || !wasRepeated
    }

    /// Takes in a part of the body; returning anything but its length stops the transfer.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= request.limits.maximumBodyByteCount else {
            passedLimit = request.limits.maximumBodyByteCount
            return 0
        }
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Takes in one line of a header, with its line feed.
    private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerByteCount += bytes.count
        guard headerByteCount <= HTTPLimits.maximumHeaderByteCount else {
            passedLimit = HTTPLimits.maximumHeaderByteCount
            return 0
        }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // A new status line: what came before was not the final answer, but 100 Continue or the proxy's.
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
    /// Whole milliseconds, at least one: to libcurl 0 means no limit, but time that is used up must end the request at
    /// once.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        return max(Int(max(seconds, 0)) * 1000 + Int(attoseconds / 1_000_000_000_000_000), 1)
    }
}
