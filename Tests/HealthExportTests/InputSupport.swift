import Foundation
import HealthExport
import TestSupport
import Testing

/// What was read from an input: all bytes, and the fault that ended them, if any.
struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var fault: String?
}

extension TemporaryFolder {
    /// Writes `zip` as `export.zip` and returns its path.
    func write(_ zip: ZipBuilder, to name: String = "export.zip") throws -> String {
        try write(zip.bytes(), to: name)
    }

    /// Opens `path`, and reads its main XML to the end or to a fault.
    func outcome(of path: String, bufferByteCount: Int = 1 << 20) throws -> Outcome {
        do throws(HealthExportError) {
            return outcome(of: try ExportInput(path: path).openMainXML(), bufferByteCount: bufferByteCount)
        } catch {
            return Outcome(fault: text(of: error))
        }
    }

    /// Reads `source` to the end or to a fault.
    func outcome(of source: any ByteSource, bufferByteCount: Int) -> Outcome {
        var outcome = Outcome()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 1)
        defer { unsafe buffer.deallocate() }
        do throws(HealthExportError) {
            while true {
                let count = try unsafe source.read(into: buffer)
                guard count > 0 else { return outcome }
                unsafe outcome.bytes += buffer.prefix(count)
            }
        } catch {
            outcome.fault = text(of: error)
            return outcome
        }
    }

    /// The fault that prevents `path` from being opened, with this folder's own path left out.
    func openingFault(of path: String) -> String? {
        do throws(HealthExportError) {
            _ = try ExportInput(path: path)
            return nil
        } catch {
            return text(of: error)
        }
    }

    private func text(of error: HealthExportError) -> String {
        error.description.replacing("\(path)/", with: "")
    }
}

/// A small main XML as Apple writes it, of an invented person.
let sampleXML = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record)*)>
    ]>
    <HealthData locale="en_GB">
     <ExportDate value="2024-05-01 10:00:00 +0100"/>
     <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" value="61"/>
    </HealthData>
    """.utf8
)

/// What the message says about a zip or folder with two exports.
let severalExports = """
    two Apple Health exports inside (expected one, since the other files could be of either): give each by itself, of a zip once it is unpacked
    """

/// Runs a Python script and waits for it; the script finds `arguments` in `sys.argv[1:]`.
func runPython(_ script: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
}
