import GRDB

/// The authorization endpoint (RFC 6749, section 3.1).
extension Issuer {
    static let codeSeconds: Int64 = 60

    /// Shows the page, or takes its answer; `password` is `nil` where nothing was entered yet.
    func authorize(_ fields: FormFields, _ password: String?) async throws -> HTTPResponse {
        let request: AuthorizationRequest
        do throws(OAuthFault) {
            request = try AuthorizationRequest(fields, clients: clients)
        } catch {
            // Never a redirect: the address is not known to be the client's (RFC 6749, section 4.1.2.1).
            return SignInPage.message("This sign-in can't go on", error.what, status: 400)
        }
        do {
            let (scope, challenge) = try request.checked(fhirBase: metadata.fhirBase)
            // No session outlives a sign-in.
            if try request.forbidsPage(), !settings.approvesAutomatically {
                throw OAuthFault(.loginRequired, "nobody is signed in, and no page may be shown")
            }
            var patient = settings.patient
            if !settings.approvesAutomatically {
                if fields["decision"] == "deny", password != nil {
                    throw OAuthFault(.accessDenied, "the person said no")
                }
                guard let given = signedIn(fields, password) else {
                    return page(request, scope, fields, password == nil ? nil : "Wrong password or patient id.")
                }
                patient = given
            }
            let now = clock.now()
            let code = try await store.commits.write { [patient] database in
                let table = AuthorizationTable(database: database, now: now)
                let number = try table.authorize(
                    client: request.client.id,
                    scope: scope,
                    patient: patient,
                    redirectURI: request.redirectURI,
                    codeChallenge: challenge,
                    nonce: fields["nonce"]
                )
                return try table.issue(.code, number, scope: scope, seconds: Self.codeSeconds)
            }
            return request.redirect([QueryItem(name: "code", value: code)], issuer: metadata.issuer)
        } catch let fault as OAuthFault {
            return request.redirect(fault, issuer: metadata.issuer)
        } catch {
            // The person is in a browser: the client learns of it only by redirect.
            return request.redirect(OAuthFault(store.faults.refusal(for: error)), issuer: metadata.issuer)
        }
    }

    /// The patient to sign in, where the password is right.
    func signedIn(_ fields: FormFields, _ password: String?) -> String? {
        guard let password, Secret.isEqual(password, self.password), let patient = fields["patient"],
            ResourceID.isValid(patient)
        else { return nil }
        return patient
    }

    private func page(
        _ request: AuthorizationRequest,
        _ scope: String,
        _ fields: FormFields,
        _ message: String?
    ) -> HTTPResponse {
        let origin = request.redirectURI.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
        return SignInPage.signIn(
            action: metadata.url("authorize"),
            fields: fields.items.filter { !["password", "patient", "decision"].contains($0.name) },
            client: request.client.id,
            scope: scope,
            patient: fields["patient"] ?? settings.patient,
            message: message,
            redirectOrigin: origin.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
                ? origin : nil
        )
    }
}
