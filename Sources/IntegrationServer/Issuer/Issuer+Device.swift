import GRDB

/// The device flow (RFC 8628): a machine without a browser shows a code, a person enters it elsewhere.
extension Issuer {
    static let deviceSeconds: Int64 = 600
    private static let devicePollSeconds: Int64 = 5
    /// Anybody may ask for a code, so only this many may be waiting.
    private static let maximumPendingCount = 1000

    func startDevice(_ fields: FormFields) async throws -> HTTPResponse {
        let client = try await authenticatedClient(fields)
        let scope = try GrantedScope.forPerson(try fields.required("scope"))
        let now = clock.now()
        let (userCode, patient) = (Self.makeUserCode(), settings.patient)
        let code = try await store.commits.write { database in
            let table = AuthorizationTable(database: database, now: now)
            try table.forgetExpiredDevices()
            guard try table.pendingDeviceCount() < Self.maximumPendingCount else {
                throw Refusal(
                    503,
                    .throttled,
                    "too many devices wait for a person (expected less load): try again later"
                )
            }
            let number = try table.authorize(
                client: client.id,
                scope: scope,
                patient: patient,
                userCode: userCode,
                interval: Self.devicePollSeconds
            )
            return try table.issue(.device, number, scope: scope, seconds: Self.deviceSeconds)
        }
        let url = metadata.url("device")
        return .json(
            200,
            """
            {"device_code":"\(code)","user_code":"\(userCode)","verification_uri":"\(url)",\
            "verification_uri_complete":"\(url)?user_code=\(userCode)","expires_in":\(Self.deviceSeconds),\
            "interval":\(Self.devicePollSeconds)}
            """
        )
    }

    /// The page on which the code is entered.
    func connectDevice(_ fields: FormFields, _ password: String?) async throws -> HTTPResponse {
        guard let text = fields["user_code"] else { return SignInPage.userCode(action: metadata.url("device")) }
        let code = Self.normalized(text)
        let now = clock.now()
        let found = try await store.database.read { database in
            try AuthorizationTable(database: database, now: now).authorization(userCode: code)
        }
        guard let found, found.state == "pending" else {
            return Self.unknownCode
        }
        let isDenied = fields["decision"] == "deny" && password != nil
        guard settings.approvesAutomatically || isDenied || signedIn(fields, password) != nil else {
            return SignInPage.signIn(
                action: metadata.url("device"),
                fields: [QueryItem(name: "user_code", value: code)],
                client: found.client,
                scope: found.scope,
                patient: fields["patient"] ?? settings.patient,
                message: password == nil ? nil : "Wrong password or patient id.",
                redirectOrigin: nil
            )
        }
        let patient = settings.approvesAutomatically ? settings.patient : fields["patient"]
        let isDecided = try await store.commits.write { database in
            try AuthorizationTable(database: database, now: now).decide(found, patient: patient, isApproved: !isDenied)
        }
        guard isDecided else { return Self.unknownCode }
        return isDenied
            ? SignInPage.message("Denied", "The device gets no access.")
            : SignInPage.message("Connected", "You can go back to the device.")
    }

    private static let unknownCode = SignInPage.message(
        "Unknown code",
        "This code is not known here, has expired, or was used.",
        status: 404
    )

    /// Eight consonants, so that they form no word (RFC 8628, section 6.1).
    private static func makeUserCode() -> String {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let code = (0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] }
        return String(code[..<4]) + "-" + String(code[4...])
    }

    private static func normalized(_ text: String) -> String {
        let letters = text.uppercased().filter(\.isLetter)
        return "\(letters.prefix(4))-\(letters.dropFirst(4))"
    }
}
