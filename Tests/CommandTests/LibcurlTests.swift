import TestSupport
import Testing

/// What the command says where libcurl can't be loaded.
struct LibcurlTests {
    @Test(arguments: [
        "login --server https://fhir.example.org --client-id s", "status --server https://fhir.example.org",
    ])
    func `a damaged libcurl is one line that says what to install`(_ line: String) throws {
        var command = try Command()
        let library = try command.write("nothing", to: "libcurl.so.4")
        command.environment["HOME"] = command.folder.path
        command.environment["LD_LIBRARY_PATH"] = command.folder.path
        let outcome = try command.run(line.split(separator: " ").map(String.init))
        #expect(
            outcome.error
                == "pghd: libcurl.so.4: can't be loaded (\(command.folder.path(library)): file too short): install the package "
                + "libcurl4, version 7.78 or later, or give this process what it lacks\n"
        )
        #expect(outcome.status == 2)
    }
}
