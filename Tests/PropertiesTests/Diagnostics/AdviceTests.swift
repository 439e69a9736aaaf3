import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The advice of an error does what its reader wants")
struct AdviceTests {
    private struct Upstream: Settings {
        @Setting var url = ""
        @Setting var weight = 1
    }
    private struct Server: Settings {
        @Setting var port = 1
        @Setting var host = "a"
        @Setting(environment: "SHOP_TIMEOUT") var timeout = 1
        @Setting var upstreams: [Upstream] = []
        @Setting var tags: [String] = []
        @Setting var labels: [String: String] = [:]
    }
    private struct Admin: Settings { @Setting var host = "b" }

    private func report(_ source: any PropertyLoader, secret: Bool = false) -> String {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        store.declare(Admin.self, at: "admin")
        store.declare(TypedKey<Int>("pin", default: 1, isSecret: true))
        do throws(ConfigurationErrors) { try store.start([source], unknownKeys: .refused) } catch {
            return error.description
        }
        return ""
    }

    private func environment(_ name: String, _ text: String = "5") -> any PropertyLoader {
        EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_\(name)": text])
    }

    private func argument(_ text: String) -> any PropertyLoader {
        CommandLinePropertyLoader(arguments: [text], passthrough: ["json", "without-secrets", "check"])
    }

    @Test("An empty or blank secret is called so, and so is one with a NUL byte or without UTF-8")
    func secrets() {
        let int = "expected an integer"
        for (value, expected) in [
            (PropertyValue.text(""), "is empty; \(int). Write a value."),
            (.string(""), "is empty; \(int). Write a value."),
            (.text(" \t"), "is nothing but white space; \(int). Write a value."),
            (.string("\u{FEFF}"), "is nothing but white space; \(int). Write a value."),
            (
                .data([0x61, 0, 0x62]),
                "is data that is secret, with a NUL byte; \(int). Remove the NUL byte, which no text has."
            ),
            (.data([0x61, 0xFF]), "is data that is secret, which is not UTF-8; \(int). Write it in UTF-8."),
            (.data([0x61]), "is data that is secret; \(int). Change the value."),
            (.text("x"), "is a text that is secret; \(int). Write decimal digits."),
        ] {
            let text = report(Literal("c", ["pin": value]))
            #expect(text == "c: 'pin' \(expected)", "\(value)")
        }
        #expect(
            report(Literal("c", ["server": ["port": .data([0])]]))
                == "c: 'server.port' is data of 1 byte, with a NUL byte; \(int). Remove the NUL byte, which no text has."
        )
    }

    private static let noName =
        "Check its spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored."

    @Test("A name without its table is answered with the only name that ends with it")
    func tables() {
        #expect(report(environment("PORT")).hasSuffix("Did you mean APP_SERVER_PORT?"))
        #expect(report(argument("--port=5")).hasSuffix("Did you mean --server-port?"))
        #expect(report(argument("--upstreams=[]")).hasSuffix("Did you mean --server-upstreams?"))
        #expect(report(TomlPropertyLoader(string: "port = 5", name: "c")).hasSuffix("Did you mean 'server.port'?"))
        let dotenv = DotEnvPropertyLoader(string: "APP_PORT=5", name: ".env", prefix: "APP")
        #expect(report(dotenv).hasSuffix("Did you mean APP_SERVER_PORT?"))
        // Two names end with it, or none.
        #expect(report(environment("HOST")).hasSuffix(Self.noName))
        #expect(report(environment("ORT")).hasSuffix(Self.noName))
    }

    @Test("A variable that a setting has without a prefix is answered with that variable")
    func ownVariable() {
        for source in [
            environment("SHOP_TIMEOUT"), environment("SHOPTIMEOUT"),
            DotEnvPropertyLoader(string: "APP_SHOP_TIMEOUT=5", name: ".env", prefix: "APP"),
        ] {
            let text = report(source)
            #expect(text.contains("Set it as SHOP_TIMEOUT"), "\(text)")
            #expect(text.hasSuffix(": 'server.timeout' has this variable without a prefix."), "\(text)")
        }
    }

    @Test("An index in a name is answered with the way to set the whole list, or the key of a dictionary")
    func indices() {
        let whole = "Set the whole list by --server-upstreams, as JSON: "
        #expect(report(argument("--server.upstreams[0].weight=5")).hasSuffix(whole + #"[{"weight": …}]."#))
        #expect(report(argument("--server-upstreams[1].url=5")).hasSuffix(whole + #"[{"url": …}]."#))
        #expect(report(argument("--server.upstreams[0]=5")).hasSuffix(whole + #"[{"url": …}]."#))
        #expect(
            report(argument("--server.tags[0]=a"))
                .hasSuffix("Set the whole list by --server-tags, with commas or as JSON."))
        #expect(
            report(environment("SERVER_TAGS[0]")).hasSuffix(
                "Set the whole list as APP_SERVER_TAGS, with commas or as JSON.")
        )
        #expect(
            report(argument("--server.labels[team]=a"))
                .hasSuffix("Set it by --server.labels.team: the key of 'server.labels' is a level of its own."))
    }

    @Test("An option of the program that is misspelt is answered with that option")
    func options() {
        for (argument, option) in [
            ("--jsn", "json"), ("--jsom", "json"), ("--without-secret", "without-secrets"), ("--chekc", "check"),
            ("--st=a", nil), ("--sett=a", "set"), ("--other", nil), ("--prot", nil),
        ] {
            let text = report(self.argument(argument))
            let end = option.map { "Did you mean --\($0)?" } ?? Self.noName
            #expect(text.hasSuffix(end), "\(text)")
        }
        // The name of a setting comes first.
        #expect(report(argument("--server.prot=5")).hasSuffix("Did you mean --server-port?"))
    }
}
