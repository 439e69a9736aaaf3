extension Document {
    /// The TOML documents that are measured.
    public static func toml() -> [Document] {
        [
            Document("service 1 KB", tomlService(bytes: 1_000)),
            Document("lock file 1 MB", tomlLock(bytes: 1_000_000)),
            Document("numbers 4 MB", tomlNumbers(bytes: 4_000_000)),
            Document("strings 4 MB", tomlStrings(bytes: 4_000_000)),
        ]
    }

    static func tomlService(bytes: Int) -> String {
        var dice = Dice(bytes)
        let start = """
            # Settings of the pricing service.
            title = "pricing"
            debug = false
            started = 2026-11-21T06:30:00Z

            """
        return grown(to: bytes, from: start) { number in
            """

            [\(dice.word())_\(number)]
            host = "\(dice.word()).example.com"   # where it listens
            port = \(8000 + dice.roll(1000))
            enabled = \(dice.roll(2) == 0)
            timeout = \(dice.roll(60)).\(dice.roll(10))
            tags = ["\(dice.word())", "\(dice.word())", "\(dice.word())"]
            limits = { connections = \(dice.roll(500)), rate = \(dice.roll(90)).5 }
            tls.certificate = "/etc/ssl/\(dice.word()).pem"
            tls.verify = true

            """
        }
    }

    static func tomlLock(bytes: Int) -> String {
        var dice = Dice(bytes)
        let start = "# This file is made by a tool.\n# It is not meant to be edited by hand.\nversion = 4\n"
        return grown(to: bytes, from: start) { number in
            let dependencies = (0..<dice.roll(5)).map { _ in " \"\(dice.word())-\(dice.word())\",\n" }.joined()
            return """

                [[package]]
                name = "\(dice.word())-\(dice.word())-\(number)"
                version = "\(dice.roll(9)).\(dice.roll(40)).\(dice.roll(20))"
                source = "registry+https://example.com/packages/index"
                checksum = "\(dice.hex(64))"
                dependencies = [
                \(dependencies)]

                """
        }
    }

    static func tomlNumbers(bytes: Int) -> String {
        var dice = Dice(bytes)
        return grown(to: bytes) { number in
            """
            [sample_\(number)]
            count = \(dice.roll(1_000_000))
            offset = -\(dice.roll(1_000_000_000))
            mask = 0x\(dice.hex(8))
            ratio = 0.\(dice.roll(1_000_000))
            measure = \(dice.roll(1000)).\(dice.roll(1_000_000_000))\(dice.roll(1_000_000))
            tiny = \(dice.roll(10)).\(dice.roll(100_000))e-\(dice.roll(18))
            series = [\((0..<12).map { _ in "\(dice.roll(1_000)).\(dice.roll(1000))" }.joined(separator: ", "))]
            ids = [\((0..<12).map { _ in "\(dice.roll(100_000))" }.joined(separator: ", "))]

            """
        }
    }

    static func tomlStrings(bytes: Int) -> String {
        var dice = Dice(bytes)
        return grown(to: bytes) { number in
            """
            [message_\(number)]
            short = "\(dice.word())"
            plain = "\(dice.sentence(12))"
            literal = 'C:\\\(dice.word())\\\(dice.word())'
            escaped = "\(dice.sentence(4))\\t\(dice.sentence(4))\\n"
            german = "\(dice.sentence(4)) für größere Übungen, \(dice.sentence(4))"
            long = \"\"\"
            \(dice.sentence(14))
            \(dice.sentence(14))\"\"\"

            """
        }
    }
}
