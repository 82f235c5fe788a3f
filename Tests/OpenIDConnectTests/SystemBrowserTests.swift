import Foundation
import Glibc
import TestSupport
import Testing

@testable import OpenIDConnect

struct SystemBrowserTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A program that records how it was started.
    private func recorder() throws -> String {
        let path = try folder.write(
            """
            #!/bin/sh
            cat /proc/$$/cmdline > '\(folder.path)/arguments'
            cat /proc/$$/environ > '\(folder.path)/environment'
            ls /proc/$$/fd > '\(folder.path)/descriptors'

            """.utf8,
            to: "browser"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    private func lines(_ name: String, separator: Character) throws -> [String] {
        let data = try Data(contentsOf: URL(filePath: folder.path(name)))
        return String(decoding: data, as: UTF8.self).split(separator: separator).map(String.init)
    }

    @Test func `S13 the browser gets the address as one argument, without a shell`() async throws {
        let program = try recorder()
        let url = "https://login.example.org/?a=$(touch%20x)&b=`id`;c='d'\"e\"|f>g&h=$HOME"
        #expect(await SystemBrowser.open(url, with: program))
        #expect(try lines("arguments", separator: "\0") == ["/bin/sh", program, url])
    }

    @Test func `S13 S21 the browser gets a desktop's variables and no open file`() async throws {
        let inherited = (0..<3).map { _ in unsafe open("/dev/zero", O_RDONLY) }
        #expect(await SystemBrowser.open("https://login.example.org/", with: try recorder()))
        let names = try lines("environment", separator: "\0").map { String($0.prefix { $0 != "=" }) }
        #expect(Set(names).subtracting(["PWD", "OLDPWD", "SHLVL", "_"]).isSubset(of: SystemBrowser.environmentNames))
        // 10 and 11 belong to the shell.
        let descriptors = try Set(lines("descriptors", separator: "\n"))
        #expect(descriptors.subtracting(["0", "1", "2", "10", "11"]) == [])
        for descriptor in inherited { close(descriptor) }
    }

    @Test func `the browser is in its own process group, with no signal blocked or ignored`() async throws {
        // A shell would restore the mask that it was started with.
        let program = try folder.write(
            """
            #!/usr/bin/env python3
            import os, signal
            blocked = sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []))
            isDefault = signal.getsignal(signal.SIGUSR2) == signal.SIG_DFL
            print(blocked, isDefault, os.getpgrp() == os.getpid(), file=open('\(folder.path)/signals', 'w'))

            """.utf8,
            to: "browser"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        // A signal that this process ignores.
        _ = signal(SIGUSR2, SIG_IGN)
        #expect(await SystemBrowser.open("https://login.example.org/", with: program))
        #expect(try lines("signals", separator: "\n") == ["[] True True"])
    }

    @Test(arguments: ["--help", "file:///etc/passwd", "javascript:alert(1)", "", " https://login.example.org/"])
    func `S13 text that is not a web address is not opened`(_ url: String) async throws {
        let program = try recorder()
        #expect(await !SystemBrowser.open(url, with: program))
        #expect(!FileManager.default.fileExists(atPath: folder.path("arguments")))
    }

    @Test func `a missing browser is reported`() async {
        #expect(await !SystemBrowser.open("https://login.example.org/", with: "/nowhere/browser"))
        #expect(await !SystemBrowser.open("https://login.example.org/", with: "/bin/false"))
    }
}
