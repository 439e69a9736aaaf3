import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Lists in text of untyped sources")
struct TextListTests {
    struct Upstream: Settings, Equatable {
        @Setting var host: String
        @Setting(in: 1...65535) var port = 80
        @Setting var tags: [String] = []
    }

    struct Server: Settings {
        @Setting("The ports") var ports: [Int] = [1]
        @Setting var names: Set<String> = []
        @Setting var timeouts: [Duration]?
        var upstreams: [Upstream] = []
    }

    /// A type that is decoded from an array.
    struct Ports: Decodable, Equatable {
        var all: [Int] = []

        init(_ all: [Int]) { self.all = all }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { all.append(try list.decode(Int.self)) }
        }
    }

    private static func store(_ text: String) throws -> PropertyStore {
        try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LIST": text]))
    }

    static let texts: [(text: String, list: [String])] = [
        ("a", ["a"]), ("a,b", ["a", "b"]), (" a , b\t,c\n", ["a", "b", "c"]), ("", []), ("  \n", []),
        ("a b,c", ["a b", "c"]), ("[]", []), (" [ ] ", []), (#"["a,b", "c"]"#, ["a,b", "c"]),
        (#"["a", ""]"#, ["a", ""]), ("[1.50, true, -0, 1e3]", ["1.50", "true", "-0", "1e3"]), ("{a},]", ["{a}", "]"]),
        ("é,e\u{301}", ["é", "e\u{301}"]), (",\u{301}", [""]),
    ]

    @Test("Text splits at its commas, or is JSON if it begins with a bracket", arguments: texts.dropLast())
    func strings(_ row: (text: String, list: [String])) throws {
        let store = try Self.store(row.text)
        #expect(try store.require("list", as: [String].self).map { Array($0.utf8) } == row.list.map { Array($0.utf8) })
        #expect(try store.require("list", as: Set<String>.self) == Set(row.list))
        #expect(try store.require("list", as: [String]?.self) == row.list)
        #expect(store.property("list") == row.list)
        #expect(try store.require("list", as: String.self) == row.text)
    }

    @Test("Each element is converted like a text of its own, and the same wherever the list is asked for")
    func elements() throws {
        let ports = try Self.store("80, 443")
        #expect(try ports.require("list", as: [UInt16].self) == [80, 443])
        #expect(try ports.bind(Ports.self, at: "list") == Ports([80, 443]))
        #expect(try ports.bind([String: [Double]].self) == ["list": [80, 443]])
        #expect(try Self.store("on,off,1").require("list", as: [Bool].self) == [true, false, true])
        #expect(try Self.store("1m, 250ms").require("list", as: [Duration].self) == [.seconds(60), .milliseconds(250)])
        #expect(try Self.store(#"["1", 2, 1e3]"#).require("list", as: [Double].self) == [1, 2, 1000])
        #expect(try Self.store("[null, 1]").require("list", as: [Int?].self) == [nil, 1])
        #expect(try Self.store("[[1, 2], []]").require("list", as: [[Int]].self) == [[1, 2], []])
        let precise = "0.1234567890123456789012345678901234567"
        #expect("\(try Self.store("[\(precise)]").require("list", as: [Decimal].self)[0])" == precise)
    }

    static let errors: [(text: String, message: String)] = [
        ("80,x", "element 2 of 'list' is the text \"x\"; expected an integer. Write decimal digits."),
        (
            "80,,443",
            "element 2 of 'list' is empty; expected a value beside each comma. Remove the comma, or write a JSON array: "
                + "[\"a\", \"\"]."
        ),
        (
            "80,",
            "element 2 of 'list' is empty; expected a value beside each comma. Remove the comma, or write a JSON array: "
                + "[\"a\", \"\"]."
        ),
        (
            "[80, 443",
            "'list' is the text \"[80, 443\"; expected a JSON array, since it begins with [ (character 1: the array that "
                + "opens here is never closed; expected a `]`). Write a JSON array, with quotation marks "
                + "around each text: [\"a\", \"b\"]."
        ),
        ("[80, \"\"]", "element 2 of 'list' is empty; expected an integer. Write decimal digits."),
        ("[80, [1]]", "element 2 of 'list' is an array of 1 value; expected an integer. Change the value."),
        ("300", "element 1 of 'list' is the text \"300\"; expected an integer from 0 to 255. Change the value."),
    ]

    @Test("An error names the variable and the element", arguments: errors)
    func mistakes(_ row: (text: String, message: String)) throws {
        let store = try Self.store(row.text)
        store.declare(TypedKey<[UInt8]>("list"))
        let error = #expect(throws: PropertyError.self) { try store.require("list", as: [UInt8].self) }
        #expect(error?.description == "environment APP_LIST: \(row.message)")
        #expect(throws: ConfigurationErrors.self) { try store.bind(Set<UInt8>.self, at: "list") }
    }

    static let wrong: [(text: String, isJSON: Bool)] = [
        ("[::1]:80,[::2]:80", true), ("[::1]", true), ("[a, b]", true), ("['a', 'b']", true), ("[80, 443", true),
        ("[1, 2,]", true), (#"["a" "b"]"#, true), ("[{a: 1}]", true), ("[1, 2] # all", true), ("[a,,b]", true),
        (#""a","b""#, false), ("'a', 'b'", false), ("“a”,“b”", false), ("`a`,b", false), (#""a,b""#, false),
        ("5\",3\"", false), ("'tis,b", false), ("\"a", false),
    ]

    @Test("The advice about a list that is not valid has an example, which is a valid list")
    func advice() throws {
        for (text, isJSON) in Self.wrong {
            let store = try Self.store(text)
            store.declare(TypedKey<[String]>("list"))
            let error = #expect(throws: PropertyError.self, "\(text)") { try store.require("list", as: [String].self) }
            let remedy =
                isJSON
                ? "Write a JSON array, with quotation marks around each text: [\"a\", \"b\"]"
                : "Leave the quotation marks out, or write a JSON array: [\"a\", \"b\"]"
            #expect(error?.remedy == remedy, "\(text)")
        }
        #expect(Self.wrong.count == 18)
        #expect(try Self.store("[\"a\", \"b\"]").require("list", as: [String].self) == ["a", "b"])
        let address = #expect(throws: PropertyError.self) {
            let store = try Self.store("[::1]:80,[::2]:80")
            store.declare(TypedKey<[String]>("list"))
            _ = try store.require("list", as: [String].self)
        }
        #expect(
            address?.description
                == #"environment APP_LIST: 'list' is the text "[::1]:80,[::2]:80"; expected a JSON array, since it begins with [ "#
                + "(character 2: `:` does not belong here; expected a value). "
                + #"Write a JSON array, with quotation marks around each text: ["a", "b"]."#)
    }

    @Test("A list with a mark inside its elements is valid, and so is JSON with marks at their ends")
    func marks() throws {
        #expect(try Self.store(#"don't,a "b" c"#).require("list", as: [String].self) == ["don't", #"a "b" c"#])
        #expect(try Self.store(#"["\"a\"", "'b'"]"#).require("list", as: [String].self) == [#""a""#, "'b'"])
        #expect(try Self.store(#""a","b""#).require("list", as: String.self) == #""a","b""#)
    }

    @Test("An element with a line break is a mistake, because the lines are probably the elements")
    func lines() throws {
        for (text, element) in [("a\nb", 1), ("a\r\nb\r\n", 1), ("a,b\rc", 2)] {
            let error = #expect(throws: PropertyError.self) { try Self.store(text).require("list", as: [String].self) }
            #expect(
                error?.description
                    == "environment APP_LIST: element \(element) of 'list' is a text that may be secret; expected a value "
                    + "without a line break. Write commas between the elements, or a JSON array: [\"a\", \"b\"].")
        }
        #expect(try Self.store("a,\n b,\r\nc\n").require("list", as: [String].self) == ["a", "b", "c"])
        #expect(try Self.store(#"["a\nb"]"#).require("list", as: [String].self) == ["a\nb"])
        #expect(try Self.store("a\nb").require("list", as: String.self) == "a\nb")
    }

    @Test("An undeclared or secret text is not in the advice")
    func hiddenAdvice() throws {
        for text in [#""hunter2","b""#, "[hunter2, b]"] {
            let error = #expect(throws: PropertyError.self) { try Self.store(text).require("list", as: [String].self) }
            #expect(error?.description.contains("hunter2") == false)
            #expect(error?.description.contains("[\"a\", \"b\"]") == true)
            let store = try Self.store(text)
            store.declareSecret("list")
            let secret = #expect(throws: PropertyError.self) { try store.require("list", as: [String].self) }
            #expect(secret?.description.contains("hunter2") == false)
        }
    }

    @Test("An undeclared text is in no error")
    func hidden() throws {
        let error = #expect(throws: PropertyError.self) {
            try Self.store("80,hunter2").require("list", as: [Int].self)
        }
        #expect(
            error?.description
                == "environment APP_LIST: element 2 of 'list' is a text that may be secret; expected an integer. "
                + "Write decimal digits.")
        let json = #expect(throws: PropertyError.self) {
            try Self.store("[hunter2").require("list", as: [Int].self)
        }
        #expect(json?.description.contains("hunter2") == false)
    }

    @Test("Inner lists, and lists in tables, need JSON")
    func inner() throws {
        let error = #expect(throws: PropertyError.self) {
            try Self.store("a,b").require("list", as: [[String]].self)
        }
        #expect(
            error?.description
                == "environment APP_LIST: element 1 of 'list' is a text that may be secret; expected an array. "
                + "Write the outer list as JSON too: [[\"a\", \"b\"]].")
        #expect(throws: PropertyError.self) { try Self.store(#"["a,b"]"#).require("list", as: [[String]].self) }
        #expect(throws: PropertyError.self) {
            try Self.store(#"[{"a": "1,2"}]"#).require("list", as: [[String: [Int]]].self)
        }
        #expect(try Self.store(#"[{"a": [1, 2]}]"#).require("list", as: [[String: [Int]]].self) == [["a": [1, 2]]])
    }

    @Test("Settings types have lists and arrays of tables from variables")
    func settings() throws {
        let store = PropertyStore.quiet
        store.declare(Server.self, at: "server")
        try store.start([
            EnvironmentPropertyLoader(
                prefix: "APP",
                environment: [
                    "APP_SERVER_PORTS": "80,443", "APP_SERVER_NAMES": "a,b,a", "APP_SERVER_TIMEOUTS": "1s",
                    "APP_SERVER_UPSTREAMS": #"[{"host": "a", "port": 8080, "tags": ["x"]}, {"host": "b"}]"#,
                ])
        ])
        let server = try store.settings(Server.self)
        #expect(server.ports == [80, 443])
        #expect(server.names == ["a", "b"])
        #expect(server.timeouts == [.seconds(1)])
        let upstreams = [
            Upstream {
                $0.host = "a"
                $0.port = 8080
                $0.tags = ["x"]
            }, Upstream { $0.host = "b" },
        ]
        #expect(server.upstreams == upstreams)
        #expect((store.values as [PropertyEntry]).first { $0.name == "server.ports" }?.valueText == "[80, 443]")
    }

    @Test("The elements of an array of tables in text are checked like those of a file")
    func tables() throws {
        let store = PropertyStore.quiet
        store.declare(Server.self, at: "server")
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([
                EnvironmentPropertyLoader(
                    prefix: "APP",
                    environment: ["APP_SERVER_UPSTREAMS": #"[{"hosst": "a", "host": "b"}, {"port": 0}, 3]"#])
            ])
        }
        #expect(
            error?.lines == """
                environment APP_SERVER_UPSTREAMS: 'server.upstreams[1].host' is missing; expected a string. Add it to this table.
                environment APP_SERVER_UPSTREAMS: 'server.upstreams[1].port' is the text "0"; expected an integer from 1 to 65535. Change the value.
                environment APP_SERVER_UPSTREAMS: element 3 of 'server.upstreams' is the text "3"; expected a table. Write the list as JSON: [{"key": "value"}].
                environment APP_SERVER_UPSTREAMS: 'server.upstreams[0].hosst' is not a key that is read. Check its spelling, or remove it.
                """)
    }

    @Test("A repeated argument is a list of all its values, and its last value as any other type")
    func repeated() throws {
        func store(_ arguments: String...) throws -> PropertyStore {
            try PropertyStore(sources: CommandLinePropertyLoader(arguments: arguments))
        }
        let tags = try store("--tags", "a,b", "--tags", "", "--tags=c", #"--set"#, #"tags=["d,e"]"#)
        #expect(try tags.require("tags", as: [String].self) == ["a", "b", "c", "d,e"])
        #expect(try tags.require("tags", as: [String]?.self) == ["a", "b", "c", "d,e"])
        #expect(try tags.require("tags", as: Set<String>.self).count == 4)
        #expect(try tags.bind([String: [String]].self) == ["tags": ["a", "b", "c", "d,e"]])
        #expect(try tags.require("tags", as: String.self) == #"["d,e"]"#)
        #expect(try tags.require("tags", as: Any.self) as? String == #"["d,e"]"#)

        let port = try store("--port", "1", "--port", "2")
        #expect(port.property("port") == 2)
        #expect(try port.bind([String: Int].self) == ["port": 2])
        #expect(try port.require("port", as: [Int].self) == [1, 2])
        port.declare(TypedKey<Int>("port"))
        #expect(port.values == ["port=\"2\""])

        let debug = try store("--debug=false", "--debug")
        #expect(debug.property("debug") == true)
        #expect(try debug.require("debug", as: [Bool].self) == [false, true])

        let wrong = try store("--ports", "1", "--ports", "2,x")
        wrong.declare(TypedKey<[Int]>("ports"))
        let error = #expect(throws: PropertyError.self) { try wrong.require("ports", as: [Int].self) }
        #expect(
            error?.description
                == "command line --ports: element 3 of 'ports' is the text \"x\"; expected an integer. Write decimal digits."
        )
        let last = #expect(throws: PropertyError.self) { try wrong.require("ports", as: Int.self) }
        #expect(
            last?.description
                == "command line --ports: 'ports' is the text \"2,x\"; expected an integer. Write decimal digits.")
    }

    @Test("A placeholder takes the last value of a repeated argument, and may be in each of them")
    func placeholders() throws {
        let store = PropertyStore.quiet
        store.replacePlaceholders()
        try store.apply([
            CommandLinePropertyLoader(arguments: ["--a", "1,2", "--a", "3", "--b", "${a}", "--b", "4,${a}"])
        ])
        #expect(try store.require("b", as: [Int].self) == [3, 4, 3])
        #expect(try store.require("b", as: String.self) == "4,3")
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.apply(CommandLinePropertyLoader(arguments: ["--c", "${none}", "--c", "1"]))
        }
        #expect(error?.lines.contains("leads to no property") == true)
    }

    @Test("The value that counts of a repeated argument must not be empty if a setting is required")
    func emptyValues() throws {
        struct Required: Settings {
            @Setting var token: String
            @Setting var tags: [String]
            @Setting var note: String?
        }
        func settings(_ arguments: String...) throws -> Required {
            let store = PropertyStore.quiet
            store.declare(Required.self)
            try store.start([CommandLinePropertyLoader(arguments: arguments)])
            return try store.settings(Required.self)
        }
        let right = try settings("--token=", "--token=b", "--tags=a", "--tags=", "--note=c", "--note=")
        #expect(right.token == "b" && right.tags == ["a"] && right.note == nil)
        let error = #expect(throws: ConfigurationErrors.self) {
            try settings("--token=b", "--token=", "--tags=", "--tags=")
        }
        #expect(
            error?.lines == """
                command line --tags: 'tags' is missing, since its text is empty; expected an array. Write a value.
                command line --token: 'token' is missing, since its text is empty; expected a string. Write a value.
                """)
    }

    @Test("A repeated secret argument is masked")
    func secrets() throws {
        let store = PropertyStore.quiet
        store.declareSecret("keys")
        try store.apply(CommandLinePropertyLoader(arguments: ["--keys", "hunter1", "--keys", "hunter2,x"]))
        let secret = try PropertyStore(
            sources: CommandLinePropertyLoader(arguments: ["--keys", "hunter1", "--keys", "hunter2,x"]).secret())
        for store in [store, secret] {
            let error = #expect(throws: PropertyError.self) { try store.require("keys", as: [Int].self) }
            #expect(error.map { "\($0)" }?.contains("hunter") == false)
            #expect(
                "\(store.entries) \(store.values as [PropertyEntry]) \(store.entries.json)".contains("hunter") == false)
            #expect(try store.require("keys", as: [String].self) == ["hunter1", "hunter2", "x"])
        }
    }

    @Test("Help shows the forms of lists")
    func help() {
        let store = PropertyStore.quiet
        store.declare(Server.self)
        #expect(
            store.help() == """
                  --names <string,...>    An array. (default: [], with commas or as JSON)
                  --ports <integer,...>   The ports. (default: [1], with commas or as JSON)
                  --timeouts <duration,...>
                                          An array. (with commas or as JSON)
                  --upstreams <array>     An array of tables. (default: [], as JSON or in a
                                          file; keys of each table: host <string> required, port
                                          <integer>, tags <string,...>)

                """)
    }
}
