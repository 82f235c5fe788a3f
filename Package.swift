// swift-tools-version: 6.2
import PackageDescription

// One list of settings for every target. Strict memory safety makes each use of
// a pointer say `unsafe`, so `grep -rn 'unsafe '` is the list of places to review.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// What may import what: a target lists everything that it imports,
// and `--explicit-target-dependency-import-check error` (Makefile) refuses the rest.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

// Not optimized, which takes half the time to compile and notices what runs out of bounds; except for tests that read
// many documents.
func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = [],
    isOptimized: Bool = false
) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        swiftSettings: swiftSettings + (isOptimized ? [] : [.unsafeFlags(["-Onone"])])
    )
}

func systemLibrary(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "pghd",
    products: [
        // All that a program has to import: docs/library.md.
        .library(
            name: "ExportPipeline",
            targets: [
                "ExportPipeline", "HealthExport", "HealthKitMapping", "TransactionBundling", "FHIRR4", "HTTPTransport",
                "Delivery", "OpenIDConnect", "CredentialStore", "Threads",
            ]
        ),
        .executable(name: "pghd", targets: ["pghd"]),
    ],
    dependencies: [
        // Commands, options, help and completions: https://github.com/apple/swift-argument-parser
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // SQLite with checked transactions, the ledger's and the server's store: https://github.com/groue/GRDB.swift
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Signatures of ID tokens and client assertions: JOSE has too many traps for us to write it.
        // It brings its own BoringSSL; OpenIDConnect and the server see it: https://github.com/vapor/jwt-kit
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        // Sockets and polling for the embedded server, without dependencies of their own (SwiftNIO would
        // cost minutes of building); why not its HTTP too: docs/decisions/0030. https://github.com/swhitty/FlyingFox
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        // SHA-256 of the embedded server's code verifiers and tokens; jwt-kit brings it anyway, and the server
        // shares no code with OpenSSLCrypto: https://github.com/apple/swift-crypto
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        systemLibrary("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
        systemLibrary("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
        systemLibrary("CISAL", pkgConfig: "libisal", apt: "libisal-dev"),
        systemLibrary("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        // What Swift's module of glibc leaves out: docs/decisions/0039.
        .target(name: "CGlibc"),
        // Its headers only: the library is loaded with the first address.
        systemLibrary("CCurl", apt: "libcurl4-openssl-dev"),

        library("Threads"),
        library("OpenSSLCrypto", ["COpenSSL"]),
        library("HealthExport", ["CLibXML2", "CZip", "CISAL"]),
        library("FHIRR4"),
        library("HealthKitMapping", ["HealthExport", "FHIRR4", "OpenSSLCrypto"]),
        library("TransactionBundling", ["FHIRR4", "OpenSSLCrypto"]),
        library("FileOutput", ["CISAL"]),
        library("SyntheticExport", ["FileOutput", "CISAL"]),
        library("HTTPTransport", ["CCurl", "Threads"]),
        library(
            "OpenIDConnect",
            ["HTTPTransport", "Threads", "OpenSSLCrypto", .product(name: "JWTKit", package: "jwt-kit")]
        ),
        library("CredentialStore", ["OpenIDConnect", "Threads", "OpenSSLCrypto", "CGlibc"]),
        library(
            "Delivery",
            [
                "TransactionBundling", "HTTPTransport", "FHIRR4", "FileOutput", "Threads", "OpenSSLCrypto", "CISAL",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        library(
            "ExportPipeline",
            [
                "HealthExport", "FHIRR4", "HealthKitMapping", "TransactionBundling", "HTTPTransport", "Delivery",
                "FileOutput",
                "Threads",
            ]
        ),
        library(
            "IntegrationServer",
            [
                .product(name: "FlyingSocks", package: "FlyingFox"), .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "JWTKit", package: "jwt-kit"), .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "pghd",
            dependencies: [
                "ExportPipeline", "HealthExport", "HealthKitMapping", "TransactionBundling", "FHIRR4",
                "SyntheticExport", "HTTPTransport", "OpenIDConnect", "CredentialStore", "OpenSSLCrypto", "Delivery",
                "IntegrationServer", "FileOutput", "Threads", "CGlibc",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings
        ),
        library("TestSupport"),

        tests("OpenSSLCryptoTests", ["OpenSSLCrypto"]),
        tests("HealthExportTests", ["HealthExport", "SyntheticExport", "TestSupport"], isOptimized: true),
        tests("FHIRR4Tests", ["FHIRR4"]),
        tests(
            "HealthKitMappingTests",
            ["HealthKitMapping", "HealthExport", "FHIRR4", "OpenSSLCrypto", "TestSupport"]
        ),
        tests("TransactionBundlingTests", ["TransactionBundling", "FHIRR4", "TestSupport"]),
        tests("SyntheticExportTests", ["SyntheticExport"]),
        tests(
            "ExportPipelineTests",
            [
                "ExportPipeline", "HealthExport", "HealthKitMapping", "TransactionBundling", "FHIRR4",
                "SyntheticExport", "TestSupport",
            ],
            isOptimized: true
        ),
        tests(
            "LibraryTests",
            [
                "ExportPipeline", "HealthExport", "HealthKitMapping", "TransactionBundling", "FHIRR4", "HTTPTransport",
                "Delivery", "OpenIDConnect", "CredentialStore", "IntegrationServer", "Threads",
                "TestSupport",
            ]
        ),
        tests("HTTPTransportTests", ["HTTPTransport", "TestSupport"]),
        tests(
            "OpenIDConnectTests",
            [
                "OpenIDConnect", "HTTPTransport", "Threads", "OpenSSLCrypto", "TestSupport",
                .product(name: "JWTKit", package: "jwt-kit"),
            ]
        ),
        tests(
            "CredentialStoreTests",
            ["CredentialStore", "OpenIDConnect", "HTTPTransport", "OpenSSLCrypto", "TestSupport"],
            exclude: ["Keystores"]
        ),
        tests(
            "DeliveryTests",
            [
                "Delivery", "FHIRR4", "FileOutput", "HTTPTransport", "TransactionBundling", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        tests(
            "IntegrationServerTests",
            [
                "IntegrationServer", .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        tests(
            "CommandTests",
            ["pghd", "HTTPTransport", "OpenIDConnect", "OpenSSLCrypto", "TestSupport"],
            exclude: ["Snapshots"]
        ),
    ]
)
