import Properties
import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The wording of all read errors, for review by a person. Each row has the text of a file, the type and the name to
// read, and the expected message.

private let messages: [Message] = [
    // Missing
    .init(
        "api.timeout = 30", Int.self, "api.timout",
        "'api.timout' is missing; expected an integer. Did you mean 'api.timeout' (c:1:15)?"),
    .init(
        "api.timeout = 30", Int.self, "server.port",
        "'server.port' is missing; expected an integer. Set it in c."),
    .init(
        "port = null", Int.self, "port",
        "c:1:8: 'port' is null; expected an integer. Write a value in place of null."),
    // Wrong type
    .init(
        "api.timeout = \"30\"", Int.self, "api.timeout",
        "c:1:15: 'api.timeout' is the string \"30\"; expected an integer. Remove the quotes."),
    .init(
        "debug = \"true\"", Bool.self, "debug",
        "c:1:9: 'debug' is the string \"true\"; expected true or false. Remove the quotes."),
    .init("debug = 1", Bool.self, "debug", "c:1:9: 'debug' is the integer 1; expected true or false. Write true."),
    .init("port = true", Int.self, "port", "c:1:8: 'port' is the boolean true; expected an integer. Change the value."),
    .init("name = 30", String.self, "name", "c:1:8: 'name' is the integer 30; expected a string. Put it in quotes."),
    .init(
        "api.timeout = 30", String.self, "api",
        "c:1:15: 'api' is a table of 1 key; expected a string. Change the value."),
    .init(
        "hosts = \"a\"", [String].self, "hosts",
        "c:1:9: 'hosts' is the string \"a\"; expected an array. Put it into an array."),
    .init(
        "hosts = [\"a\", 2]", [String].self, "hosts",
        "c:1:15: 'hosts[1]' is the integer 2; expected a string. Put it in quotes."),
    .init(
        "start = 2026-11-21", Date.self, "start",
        "c:1:9: 'start' is the local date 2026-11-21; expected an offset date-time such as 2026-11-21T06:30:00Z. "
            + "Write the date, the time and the offset from UTC."),
    .init(
        "count = 1.5", Int.self, "count",
        "c:1:9: 'count' is the number 1.5; expected an integer. Write a whole number."),
    .init(
        "level = 3", Level.self, "level",
        "c:1:9: 'level' is the integer 3; expected one of \"debug\", \"info\". Choose one of these."),
    // Out of range
    .init(
        "retries = 300", UInt8.self, "retries",
        "c:1:11: 'retries' is the integer 300; expected an integer from 0 to 255. Change the value."),
    .init(
        "big = 9007199254740993", Double.self, "big",
        "c:1:7: 'big' is the integer 9007199254740993; expected a number that Double holds exactly. Change the value."),
    .init(
        "big = 99999999999999999999", Int.self, "big",
        "c:1:7: 'big' is the number 1e+20; expected an integer from -9223372036854775808 to 9223372036854775807. "
            + "Change the value."),
    .init(
        "ratio = 1e39", Float.self, "ratio",
        "c:1:9: 'ratio' is the number 1e+39; expected a number from -3.4028235e+38 to 3.4028235e+38. Change the value."),
    .init(
        "ratio = -1e308", Float.self, "ratio",
        "c:1:9: 'ratio' is the number -1e+308; expected a number from -3.4028235e+38 to 3.4028235e+38. Change the value."
    ),
    // Not one of the cases, not parsable
    .init(
        "timeout = 30", Duration.self, "timeout",
        "c:1:11: 'timeout' is the integer 30; expected a duration such as \"1m30s\" or \"250ms\". "
            + "Add the unit: \"30s\" for seconds, \"30ms\" for milliseconds."),
    .init(
        "timeout = \"30\"", Duration.self, "timeout",
        "c:1:11: 'timeout' is the string \"30\"; expected a duration such as \"1m30s\" or \"250ms\". "
            + "Add the unit: \"30s\" for seconds, \"30ms\" for milliseconds."),
    .init(
        "timeout = \"soon\"", Duration.self, "timeout",
        "c:1:11: 'timeout' is the string \"soon\"; expected a duration such as \"1m30s\" or \"250ms\". "
            + "Write numbers with units: d, h, m, s, ms, us or ns."),
    .init(
        "timeout = \"1e3\"", Duration.self, "timeout",
        "c:1:11: 'timeout' is the string \"1e3\"; expected a duration such as \"1m30s\" or \"250ms\". "
            + "Write decimal digits and a unit."),
    .init(
        "debug = ~maybe", Bool.self, "debug",
        "c:1:9: 'debug' is a text that may be secret; expected true or false. Write true or false."),
    .init(
        "url = \"http://a b\"", URL.self, "url",
        "c:1:7: 'url' is the string \"http://a b\"; expected a URL such as \"https://example.com\". "
            + "Percent-encode invalid characters: a space is %20."),
    .init(
        "key = \"***\"", Data.self, "key",
        "c:1:7: 'key' is the string \"***\"; expected data, or a string of base64. "
            + "Encode the bytes as base64 with padding."),
    .init(
        "port = ~http", Int.self, "port",
        "c:1:8: 'port' is a text that may be secret; expected an integer. Write decimal digits."),
    .init(
        "timeout = ~30", Duration.self, "timeout",
        "c:1:11: 'timeout' is a text that may be secret; expected a duration such as \"1m30s\" or \"250ms\". "
            + "Add the unit, such as s or ms."),
    .init(
        "port = ~80", over: "port = \"http\"", Int.self, "port",
        "d:1:8: 'port' is the string \"http\"; expected an integer (it overrides a text at c:1:8). Change the value."),
    // Decodable types
    .init(
        "server.host = \"a\"", Server.self, "server",
        "c: 'server.port' is missing; expected an integer. Set it in c."),
    .init(
        "server.host = \"a\"\nserver.port = \"80\"", Server.self, "server",
        "c:2:15: 'server.port' is the string \"80\"; expected an integer. Remove the quotes."),
    .init(
        "server.host = \"a\"\nserver.port = 80\nserver.even = 3", Server.self, "server",
        "c:3:15: 'server.even' is the integer 3; expected a value for Even (3 is odd). Change the value."),
    .init(
        "server = \"a:80\"", Server.self, "server",
        "c:1:10: 'server' is the string \"a:80\"; expected a table. Write a table in its place."),
    // A value that overrides another one
    .init(
        "port = 80", over: "port = \"http\"", Int.self, "port",
        "d:1:8: 'port' is the string \"http\"; expected an integer (it overrides 80 at c:1:8). Change the value."),
    .init(
        "port = 80", over: "port = null", Int.self, "port",
        "d:1:8: 'port' is null; expected an integer (it overrides 80 at c:1:8). Write a value in place of null."),
]

private enum Level: String, CaseIterable { case debug, info }

private struct Server: Decodable {
    var host: String
    var port: Int
    var even: Even?
}

private struct Even: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(Int.self).isMultiple(of: 2) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "3 is odd")
        }
    }
}

private struct Message: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let read: @Sendable (PropertyStore) throws(PropertyError) -> Void

    init<T>(_ file: String, over later: String? = nil, _ type: T.Type, _ name: String, _ text: String) {
        let lines = [file, later ?? ""].joined(separator: " / ").split(separator: "\n").joined(separator: "; ")
        testDescription = "'\(name)' as \(type) in \(lines)"
        self.text = text
        read = { store throws(PropertyError) in
            // Applies the files here, so that each row of the table needs only their texts.
            try? store.apply(Lines("c", file))
            if let later { try? store.apply(Lines("d", later)) }
            _ = try store.require(name, as: type)
        }
    }
}

@Suite("Messages of read errors")
struct PropertyErrorTests {
    @Test(
        "An error is one line: the place, what is wrong, what was expected, what to do",
        arguments: messages)
    private func message(_ message: Message) {
        let error = #expect(throws: PropertyError.self) { try message.read(PropertyStore()) }
        #expect(error?.description == message.text)
        #expect(error?.remedy?.isEmpty == false)
        #expect(error?.description.contains(". \(error?.remedy ?? "?")") == true)
        #expect(messages.count == 35)
    }
}
