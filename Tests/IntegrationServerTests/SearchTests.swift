import Testing

@testable import IntegrationServer

/// A search, and the ids that it finds.
struct SearchCase: CustomTestStringConvertible {
    let query: String
    let ids: String

    init(_ query: String, _ ids: String) {
        self.query = query
        self.ids = ids
    }

    var testDescription: String { query }
}

struct SearchTests {
    private static let stored = [
        observation(
            #""id":"a","identifier":[{"system":"urn:s","value":"1"}],"subject":{"reference":"Patient/p"},"#
                + #""effectiveDateTime":"2024-05-01T08:00:00Z","category":[{"coding":[{"code":"vital-signs"}]}]"#
        ),
        observation(
            #""id":"b","identifier":[{"value":"1"},{"system":"urn:s","value":"x,y|z"}],"#
                + #""subject":{"reference":"Patient/q"},"#
                + #""effectivePeriod":{"start":"2024-05-01T09:00:00Z","end":"2024-05-02T09:00:00Z"}"#
        ),
        observation(#""id":"c","effectiveDateTime":"2024-05-03""#).replacing(
            #"{"text":"x"}"#,
            with: #"{"coding":[{"system":"http://loinc.org","code":"8867-4"},{"code":"HR"}]}"#
        ),
    ]

    @Test(arguments: [
        SearchCase("", "abc"),
        SearchCase("_id=a,c", "ac"),
        SearchCase("identifier=1", "ab"),
        SearchCase("identifier=urn:s|1", "a"),
        SearchCase("identifier=|1", "b"),
        SearchCase("identifier=urn:s|", "ab"),
        SearchCase("identifier=urn:s|x\\,y\\|z", "b"),
        SearchCase("identifier=2", ""),
        SearchCase("code=8867-4", "c"),
        SearchCase("code=http://loinc.org|8867-4,HR&_id=c", "c"),
        SearchCase("category=vital-signs", "a"),
        SearchCase("patient=p", "a"),
        SearchCase("patient=Patient/q", "b"),
        SearchCase("subject=Patient/p", "a"),
        SearchCase("subject:Patient=p", "a"),
        SearchCase("date=2024-05-01", "a"),
        SearchCase("date=2024-05", "abc"),
        SearchCase("date=ge2024-05-02", "bc"),
        SearchCase("date=gt2024-05-02", "c"),
        SearchCase("date=lt2024-05-02", "ab"),
        SearchCase("date=le2024-05-01T08:30:00Z", "a"),
        SearchCase("date=sa2024-05-01", "c"),
        SearchCase("date=eb2024-05-02", "a"),
        SearchCase("date=ne2024-05-01", "bc"),
        SearchCase("date=ge2024-05-01&date=lt2024-05-02T00:00:00Z", "ab"),
        SearchCase("_lastUpdated=gt2026-11-21T10:30:00Z", ""),
        SearchCase("_lastUpdated=ge2026-11-21T10:30:00Z", "abc"),
        SearchCase("_count=2", "ab"),
        SearchCase("unknown=1", "abc"),
    ])
    func `a search finds what it describes`(_ search: SearchCase) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            for resource in Self.stored {
                let id = try JSONReader.read(Array(resource.utf8))["id"]?.string ?? ""
                let answer = try await http.put("/fhir/Observation/\(id)", resource)
                #expect(answer.status == 201, "\(answer)")
            }
            let query = search.query.replacing("|", with: "%7C").replacing("\\", with: "%5C")
            let answer = try JSONReader.read(Array(try await http.get("/fhir/Observation?\(query)").body.utf8))
            let ids = answer["entry"]?.elements.compactMap { $0["resource"]?["id"]?.string } ?? []
            #expect(ids.joined() == search.ids)
            #expect(answer["total"]?.integer == (search.query == "_count=2" ? 3 : ids.count))
        }
    }

    @Test func `a page links to the next with the same search`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            for id in ["a", "b", "c"] {
                _ = try await http.put("/fhir/Observation/\(id)", observation("\"id\":\"\(id)\""))
            }
            let base = server.server.addresses.fhirBase
            let first = try JSONReader.read(Array(try await http.get("/fhir/Observation?_count=2&foo=1").body.utf8))
            let links = first["link"]?.elements.compactMap { $0["url"]?.string } ?? []
            // Parameters that were not understood are not in the link (R4, section 3.1.1.3).
            #expect(links == ["\(base)/Observation?_count=2", "\(base)/Observation?_count=2&_cursor=2.3"])
            let second = try await http.get("/fhir/Observation?_count=2&_cursor=2.3")
            #expect(
                second.body
                    == #"{"resourceType":"Bundle","type":"searchset","total":3,"#
                    + #""link":[{"relation":"self","url":"\#(base)/Observation?_count=2&_cursor=2.3"}],"#
                    + #""entry":[{"fullUrl":"\#(base)/Observation/c","resource":{"resourceType":"Observation","id":"c","#
                    + #""meta":{"versionId":"1","lastUpdated":"2026-11-21T10:30:00.000Z"},"status":"final","#
                    + #""code":{"text":"x"}},"search":{"mode":"match"}}]}"#
            )
        }
    }

    @Test func `a page of large resources ends early, but has at least one`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            // Two of the first fit into a page of 16 MiB, and none fits next to the last.
            for (id, size) in [("a", 7), ("b", 7), ("c", 7), ("d", 15)] {
                let text = String(repeating: "x", count: size << 20)
                let resource = observation("\"id\":\"\(id)\",\"valueString\":\"\(text)\"")
                let answer = try await http.put("/fhir/Observation/\(id)", resource)
                #expect(answer.status == 201, "\(answer)")
            }
            var query = "_count=3"
            var pages: [String] = []
            while pages.count < 5 {
                let page = try JSONReader.read(Array(try await http.get("/fhir/Observation?\(query)").body.utf8))
                pages.append((page["entry"]?.elements ?? []).compactMap { $0["resource"]?["id"]?.string }.joined())
                #expect(page["total"]?.integer == 4)
                guard let next = page["link"]?.elements.compactMap({ $0["url"]?.string }).dropFirst().first else {
                    break
                }
                query = String(next.drop { $0 != "?" }.dropFirst())
            }
            #expect(pages == ["ab", "c", "d"])
        }
    }

    @Test(arguments: ["true", "text", "data"])
    func `a request for parts gets whole resources, and the link shows that`(_ summary: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\""))
            let whole = try await http.get("/fhir/Observation?_id=a")
            let part = try await http.get("/fhir/Observation?_summary=\(summary)&_id=a")
            #expect(part.status == 200)
            #expect(part.body == whole.body)
        }
    }

    @Test func `a search by POST may be entirely in its URL`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\""))
            let posted = try await http.send("POST", "/fhir/Observation/_search?_id=a")
            let answer = try await http.get("/fhir/Observation?_id=a")
            #expect(posted.body == answer.body)
            #expect(try await http.post("/fhir/Observation/_search", "{}").status == 415)
        }
    }

    @Test func `a subject that is not a Patient is found by its reference`() async throws {
        let cases = [
            ("Group/1", "Group/1", 1), ("BASE/Group/1", "Group/1", 1), ("Group/1", "BASE/Group/1", 1),
            ("Group/1", "Group/2", 0), ("Group/1", "Device/1", 0), ("Group/1", "Patient/1", 0),
            ("Patient/1", "Group/1", 0),
        ]
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let base = server.server.addresses.fhirBase
            for (subject, wanted, count) in cases {
                let reference = subject.replacing("BASE", with: base)
                let resource = observation("\"id\":\"a\",\"subject\":{\"reference\":\"\(reference)\"}")
                #expect(try await http.put("/fhir/Observation/a", resource).status < 300)
                func found() async throws -> Int? {
                    let query = "subject=\(wanted.replacing("BASE", with: base))"
                    let answer = try await http.get("/fhir/Observation?\(query)")
                    return try JSONReader.read(Array(answer.body.utf8))["total"]?.integer
                }
                #expect(try await found() == count, "\(wanted) of \(subject)")
                #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 200)
                #expect(try await found() == 0)
            }
        }
    }

    @Test func `a search for the count has no entries`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\""))
            let base = server.server.addresses.fhirBase
            #expect(
                try await http.get("/fhir/Observation?_summary=count").body
                    == #"{"resourceType":"Bundle","type":"searchset","total":1,"#
                    + #""link":[{"relation":"self","url":"\#(base)/Observation?_summary=count"}]}"#
            )
        }
    }

    @Test(arguments: [
        "date=yesterday", "identifier=", "identifier=a|b|c", "patient=Device/1", "_count=x",
    ])
    func `a value that can't be searched for is refused`(_ query: String) async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().get("/fhir/Observation?\(query.replacing("|", with: "%7C"))")
            #expect(answer.status == 400)
            #expect(
                answer.body.hasPrefix(
                    #"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"value""#
                )
            )
        }
    }

    @Test(arguments: [
        "subject:Device=1", "code:not=x", "identifier:exact=x", "date:missing=true", "_id:not=a", "foo:exact=1",
        "subject.name=x", "subject:Patient.name=x", "_has:Observation:patient:code=x",
    ])
    func `an unsupported modifier or chain is refused, not ignored`(_ query: String) async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().get("/fhir/Observation?\(query)")
            #expect(answer.status == 400)
            #expect(
                answer.body
                    == outcome(
                        "not-supported",
                        "a search modifier or chained parameter is not supported here (expected a parameter's name alone)"
                    )
            )
        }
    }

    @Test func `an unknown parameter with a dot in its name is ignored like others`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().get("/fhir/Observation?foo.bar=1")
            #expect(answer.status == 200)
        }
    }

    @Test func `the link to a page has its real size`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().get("/fhir/Device?_count=5000")
            let base = server.server.addresses.fhirBase
            #expect(
                answer.body
                    == #"{"resourceType":"Bundle","type":"searchset","total":0,"#
                    + #""link":[{"relation":"self","url":"\#(base)/Device?_count=1000"}]}"#
            )
        }
    }

    @Test(arguments: [
        ("identifier=urn:m%7C1", 1), ("identifier=2", 1), ("identifier=urn:m%7C2", 0),
    ])
    func `a document is found by its master identifier and by its others`(_ query: String, _ count: Int) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let document =
                #"{"resourceType":"DocumentReference","status":"current","content":[{"attachment":{}}],"#
                + #""masterIdentifier":{"system":"urn:m","value":"1"},"identifier":[{"value":"2"}]}"#
            #expect(try await http.post("/fhir/DocumentReference", document).status == 201)
            let found = try JSONReader.read(Array(try await http.get("/fhir/DocumentReference?\(query)").body.utf8))
            #expect(found["total"]?.integer == count)
        }
    }

    @Test(arguments: [
        (#"{"event":["2024-05-03","2024-05-01T08:00:00Z"]}"#, "ge2024-05-01&date=le2024-05-03", 1),
        (#"{"event":["2024-05-03","2024-05-01T08:00:00Z"]}"#, "2024-05", 1),
        (#"{"event":["2024-05-03","2024-05-01T08:00:00Z"]}"#, "2024-05-01", 0),
        (#"{"repeat":{"boundsPeriod":{"start":"2024-05-01","end":"2024-05-02"}}}"#, "2024-05", 1),
        (#"{"repeat":{"boundsPeriod":{"start":"2024-05-01","end":"2024-05-02"}}}"#, "gt2024-05-02", 0),
        (#"{"repeat":{"frequency":1}}"#, "ge1900", 0),
    ])
    func `a Timing is found by its outer limits`(_ timing: String, _ date: String, _ count: Int) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let resource = observation("\"effectiveTiming\":\(timing)")
            #expect(try await http.post("/fhir/Observation", resource).status == 201)
            let found = try JSONReader.read(Array(try await http.get("/fhir/Observation?date=\(date)").body.utf8))
            #expect(found["total"]?.integer == count)
        }
    }

    @Test(arguments: [(1_000, 200), (1_001, 400)])
    func `a form with more than a thousand fields is refused as a search`(_ count: Int, _ status: Int) async throws {
        try await RunningServer.run { server in
            let form = (0..<count).map { "a\($0)=" }.joined(separator: "&")
            let answer = try await server.signedIn()
                .post("/fhir/Device/_search", form, type: "application/x-www-form-urlencoded")
            #expect(answer.status == status)
        }
    }

    @Test func `values are counted by number, whatever their parts`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let tokens = (1...199).map { "u%7C\($0)" }.joined(separator: ",")
            #expect(try await http.get("/fhir/Device?identifier=\(tokens)&_id=a").status == 200)
            #expect(try await http.get("/fhir/Device?identifier=\(tokens)&_id=a,b").status == 400)
        }
    }

    @Test func `200 values are searched for and one more is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let ids = (1...200).map { "a\($0)" }.joined(separator: ",")
            #expect(try await http.get("/fhir/Device?_id=\(ids)").status == 200)
            let refused = try await http.get("/fhir/Device?_id=\(ids),b")
            #expect(refused.status == 400)
            #expect(refused.body == outcome("too-costly", "the search names more than 200 values: split it"))
            #expect(try await http.get("/fhir/Device?_id=\(ids)&_id=b").status == 400)
        }
    }

    @Test func `an unknown parameter is refused if the client asks for strict handling`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Prefer: handling=strict")
            #expect(try await http.get("/fhir/Device?foo=1").status == 400)
            #expect(try await http.get("/fhir/Device?identifier=1").status == 200)
        }
    }

    @Test func `a value is not cut at U+0000`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let resource = observation(#""identifier":[{"system":"urn:s","value":"A"}]"#)
            #expect(try await http.post("/fhir/Observation", resource).status == 201)
            #expect(try await http.get("/fhir/Observation?identifier=urn:s%7CA%00B").status == 400)
            let conditional = try await http.with("If-None-Exist: identifier=urn:s%7CA%00B")
                .post("/fhir/Observation", resource)
            #expect(conditional.status == 400)
        }
    }

    @Test func `strict handling holds for the searches of a Bundle too`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            for kind in ["batch", "transaction"] {
                let body = bundle(kind, #"{"request":{"method":"GET","url":"Device?foo=1"}}"#)
                #expect(try await http.post("/fhir", body).status == 200)
                let strict = try await http.with("Prefer: handling=strict").post("/fhir", body)
                #expect(try kind == "batch" ? statuses(strict) == ["400 Bad Request"] : strict.status == 400)
            }
        }
    }

    @Test func `a form that is compressed or not UTF-8 is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Content-Type: application/x-www-form-urlencoded")
            let path = "/fhir/Observation/_search"
            #expect(try await http.send("POST", path, "identifier=1").status == 200)
            #expect(try await http.with("Content-Encoding: br").send("POST", path, "identifier=1").status == 415)
            #expect(try await http.send("POST", path, "identifier=%FF").status == 400)
        }
    }

    @Test func `a form may name the format`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Accept: text/html")
                .with("Content-Type: application/x-www-form-urlencoded")
            #expect(try await http.send("POST", "/fhir/Observation/_search", "_format=json").status == 200)
            #expect(try await http.send("POST", "/fhir/Observation/_search", "_id=a").status == 406)
        }
    }

    @Test(arguments: [("subject:Patient=Group/1", 400), ("subject:Patient=Patient/1", 200), ("_total=some", 400)])
    func `a modifier or a value that would change what is found is not ignored`(
        _ query: String,
        _ status: Int
    ) async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().get("/fhir/Observation?\(query)")
            #expect(answer.status == status)
        }
    }

    @Test func `an identifier without a value is found by its system`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let device = #"{"resourceType":"Device","id":"d","identifier":[{"system":"urn:only"}]}"#
            #expect(try await http.put("/fhir/Device/d", device).status == 201)
            let found = try await http.get("/fhir/Device?identifier=urn:only%7C&_summary=count").body
            #expect(try JSONReader.read(Array(found.utf8))["total"]?.integer == 1)
        }
    }
}
