import Properties
import Testing

@Suite("Settings types inside other values")
struct SettingsArrayTests {
    private func upstream(_ values: KeyValuePairs<String, PropertyValue>) -> PropertyValue {
        .table(PropertyTable(values.map { ($0.key, $0.value) }))
    }

    @Test("An array of a settings type is an array of tables, with defaults in each")
    func arrays() throws {
        let store = try PropertyStore(
            ProxySettings.self, at: "proxy",
            Literal([
                "proxy.upstreams": [
                    upstream(["url": "a"]), upstream(["url": "b", "weight": 5, "tls": ["minimumVersion": 1.3]]),
                ]
            ]))
        try store.verify(unknownKeys: .refused)
        let upstreams = try store.settings(ProxySettings.self).upstreams
        #expect(
            upstreams == [
                Upstream { $0.url = "a" },
                Upstream { ($0.url, $0.weight, $0.tls.minimumVersion) = ("b", 5, 1.3) },
            ])
    }

    @Test("All problems of all elements are reported, and their unknown keys")
    func problems() throws {
        let store = try PropertyStore(
            ProxySettings.self, at: "proxy",
            Literal([
                "proxy.upstreams": [
                    upstream(["weight": 101, "tls": 1]), upstream(["url": "b", "weigth": 5, "tls": ["version": 1.3]]),
                ]
            ]))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(
            errors?.lines == """
                literal: 'proxy.upstreams[0].url' is missing; expected a string. Add it to this table.
                literal: 'proxy.upstreams[0].weight' is the integer 101; expected an integer from 0 to 100. Change the value.
                literal: 'proxy.upstreams[0].tls' is the integer 1; expected a table. Write a table in its place.
                literal: 'proxy.upstreams[1].weigth' is not a key that is read. Did you mean 'weight'?
                literal: 'proxy.upstreams[1].tls.version' is not a key that is read. Did you mean 'minimumVersion'?
                """)
        let read = #expect(throws: ConfigurationErrors.self) { try store.settings(ProxySettings.self) }
        #expect(read?.problems.count == 3)
    }

    @Test("A settings type that is an optional value, or is read by itself, has its defaults")
    func inside() throws {
        let store = try PropertyStore(DeepSettings.self, Literal(["fallback": ["url": "u"], "pool": ["size": 2]]))
        #expect(try store.settings(DeepSettings.self).fallback == Upstream { $0.url = "u" })
        let pools = [PoolSettings { $0.size = 2 }]
        #expect(try store.bind(PoolSettings.self, at: "pool") == pools[0])
        #expect(try store.require("pool") == pools[0])
        try store.apply(Literal("list", ["list": [["size": 2], ["size": 65]]]))
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.bind([PoolSettings].self, at: "list")
        }
        #expect(
            errors?.lines
                == "list: 'list[1].size' is the integer 65; expected an integer from 1 to 64. Change the value.")
    }

    @Test("A secret in an element is masked, and what is beside it is not")
    func secrets() throws {
        struct List: Settings { var accounts: [AccountSettings] = [] }
        let store = try PropertyStore(
            List.self, Literal(["accounts": [["user": "u", "password": "hunter2", "level": 0]]]))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(
            errors?.lines
                == "literal: 'accounts[0].level' is the integer 0; expected an integer from 1 to less than 100. Change the value."
        )
        #expect(!store.entriesText.contains("hunter2"))
    }
}
