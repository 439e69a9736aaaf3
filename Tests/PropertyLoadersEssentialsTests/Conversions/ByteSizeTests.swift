import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Sizes in bytes")
struct ByteSizeTests {
    struct Limits: Settings {
        @Setting("The largest body", in: .kilobytes(1)...(.gigabytes(1))) var body = ByteSize.megabytes(10)
        @Setting("The memory of a cache") var cache: ByteSize?
        @Setting("The parts") var parts: [ByteSize] = []
    }

    private static func read(_ text: String) throws -> Int {
        let store = PropertyStore.quiet
        try store.apply(TomlPropertyLoader(string: "size = \(text)", name: "c.toml"))
        return try store.require("size", as: ByteSize.self).bytes
    }

    @Test(
        "Text has a unit of powers of 1,000 or of 1,024, and a bare number is in bytes",
        arguments: [
            ("\"10MB\"", 10_000_000), ("\"64KiB\"", 65_536), ("4096", 4096), ("4096.0", 4096), ("0", 0),
            ("\"0B\"", 0), ("\"512B\"", 512), ("\"1kB\"", 1000), ("\"1KB\"", 1000), ("\"10 MB\"", 10_000_000),
            ("\"1.5MB\"", 1_500_000), ("\"1.5KiB\"", 1536), ("\"0.001KB\"", 1), ("\"2GiB\"", 2_147_483_648),
            ("\"1.50000000000000000KB\"", 1500), ("\"3TB\"", 3_000_000_000_000), ("\"1PiB\"", 1_125_899_906_842_624),
            ("\"9223372036854775807B\"", Int.max), ("\"007MB\"", 7_000_000),
        ] as [(String, Int)])
    func values(text: String, bytes: Int) throws {
        #expect(try Self.read(text) == bytes)
    }

    @Test(
        "Anything else is refused, with the two spellings",
        arguments: [
            ("\"10M\"", "Write 10MB for powers of 1,000, or 10MiB for powers of 1,024."),
            ("\"10Mb\"", "Write 10MB for powers of 1,000, or 10MiB for powers of 1,024."),
            ("\"10mb\"", "Write 10MB for powers of 1,000, or 10MiB for powers of 1,024."),
            ("\"64Ki\"", "Write 64KB for powers of 1,000, or 64KiB for powers of 1,024."),
            ("\"64kib\"", "Write 64KB for powers of 1,000, or 64KiB for powers of 1,024."),
            ("\"1.5g\"", "Write 1.5GB for powers of 1,000, or 1.5GiB for powers of 1,024."),
            ("\"ten MB\"", "Write MB for powers of 1,000, or MiB for powers of 1,024."),
            ("\"-1MB\"", "Write MB for powers of 1,000, or MiB for powers of 1,024."),
            ("\"1.MB\"", "Write MB for powers of 1,000, or MiB for powers of 1,024."),
            ("\"1_000KB\"", "Write MB for powers of 1,000, or MiB for powers of 1,024."),
            ("\"\"", "Write MB for powers of 1,000, or MiB for powers of 1,024."),
            ("\"4096\"", "Remove the quotes, or add a unit."),
            (
                "\"0.1KiB\"", "Write a whole number of bytes. Write MB for powers of 1,000, or MiB for powers of 1,024."
            ),
            (
                "\"0.5B\"", "Write a whole number of bytes. Write MB for powers of 1,000, or MiB for powers of 1,024."
            ),
            (
                "\"1.0000000000000000001KB\"",
                "Write a whole number of bytes. Write MB for powers of 1,000, or MiB for powers of 1,024."
            ),
            ("1.5", "Write a whole number of bytes, or text with a unit."),
            ("true", "Write a whole number of bytes, or text with a unit."),
        ])
    func refused(text: String, remedy: String) {
        let error = #expect(throws: PropertyError.self) { try Self.read(text) }
        #expect(
            error?.description.hasSuffix("; expected a size such as \"10MB\" or \"64KiB\". \(remedy)") == true,
            "\(error.map { "\($0)" } ?? "none")")
    }

    @Test(
        "A size that no Int holds, or that is negative, is out of range",
        arguments: ["-1", "\"9300000TB\"", "\"9999999999999999999999999999999999999PB\""])
    func range(text: String) {
        let error = #expect(throws: PropertyError.self) { try Self.read(text) }
        #expect(error?.reason == .outOfRange)
        #expect(
            error?.description.contains("expected a size from 0 to 9223372036854775807 bytes") == true,
            "\(error.map { "\($0)" } ?? "none")")
    }

    private static func store(_ environment: [String: String], _ text: String = "") throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Limits.self, at: "limits")
        try store.start([
            TomlPropertyLoader(string: text, name: "c.toml"),
            EnvironmentPropertyLoader(prefix: "APP", environment: environment),
        ])
        return store
    }

    @Test("A setting has limits, and text of a variable may be a bare number")
    func settings() throws {
        let store = try Self.store(
            ["APP_LIMITS_BODY": "4096", "APP_LIMITS_PARTS": "1KB, 2KiB,3"], "limits.cache = 1000")
        let limits = try store.settings(Limits.self)
        #expect(limits.body == .bytes(4096) && limits.cache == .kilobytes(1))
        #expect(limits.parts == [.kilobytes(1), .kibibytes(2), .bytes(3)])
        let small = #expect(throws: ConfigurationErrors.self) { try Self.store([:], "limits.body = 999") }
        #expect(
            "\(small!)"
                == "c.toml:1:15: 'limits.body' is the integer 999; expected a size from 1KB to 1GB. Change the value.")
        let unclear = #expect(throws: ConfigurationErrors.self) { try Self.store(["APP_LIMITS_BODY": "1M"]) }
        #expect(
            "\(unclear!)" == """
                environment APP_LIMITS_BODY: 'limits.body' is the text "1M"; expected a size from 1KB to 1GB. Write MB for \
                powers of 1,000, or MiB for powers of 1,024.
                """)
    }

    @Test("Help, the schema and the template show the size as it is written")
    func references() throws {
        let store = try Self.store([:])
        #expect(store.help(columns: 200).contains("--limits-body <size>"))
        #expect(store.help(columns: 200).contains("The largest body. A size from 1KB to 1GB. (default: \"10MB\")"))
        #expect(store.template().contains("#body = \"10MB\""))
        let schema = PropertyStore()
        try schema.apply(JsonPropertyLoader(string: store.jsonSchema(), name: "schema"))
        #expect(schema.property("properties.limits.properties.body.type") == ["string", "integer", "null"])
        #expect(schema.property("properties.limits.properties.body.default") == "10MB")
    }

    @Test(
        "The text of a size is read as the same size",
        arguments: [
            (ByteSize.bytes(0), "0B"), (.bytes(999), "999B"), (.kilobytes(1), "1KB"), (.kibibytes(1), "1KiB"),
            (.bytes(1_024_000), "1000KiB"), (.megabytes(10), "10MB"), (.mebibytes(3), "3MiB"), (.gigabytes(2), "2GB"),
            (.gibibytes(2), "2GiB"), (.bytes(.max), "9223372036854775807B"),
        ] as [(ByteSize, String)])
    func text(size: ByteSize, text: String) throws {
        #expect(size.description == text)
        #expect(try Self.read("\"\(text)\"") == size.bytes)
        let store = PropertyStore()
        try store.set("size", to: size)
        #expect(try store.require("size", as: ByteSize.self) == size)
    }

    @Test("A number of bytes that no integer has ends the process, and is no other size")
    func overflow() async {
        await #expect(processExitsWith: .failure) { _ = ByteSize.gibibytes(1 << 34) }
    }
}
