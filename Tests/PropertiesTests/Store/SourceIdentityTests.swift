import Properties
import PropertyLoadersEssentials
import Testing

@Suite("The identity of sources")
struct SourceIdentityTests {
    private struct Module: PropertyLoader {
        let name: String
        func load() -> PropertyLayer { PropertyLayer(PropertyTable([(name, .bool(true))])) }
    }

    @Test("Unnamed loaders of the same type are different sources, in one step and in several")
    func unnamed() throws {
        let store = PropertyStore()
        try store.apply([StructPropertyLoader(["timeout": 30]), StructPropertyLoader(["retries": 5])])
        try store.apply(StructPropertyLoader(["timeout": 31]))
        try store.apply([Module(name: "a"), Module(name: "b")])
        try store.apply(Module(name: "c"))
        #expect(store.listing == ["a=true", "b=true", "c=true", "retries=5", "timeout=31"])
        #expect(store.history(of: "timeout").count == 2)
    }

    @Test("Loaders with equal arguments are the same source, and those with other arguments are not")
    func arguments() throws {
        let store = PropertyStore()
        for arguments in [["--a=1"], ["--b=2"], ["--a=1"]] {
            try store.apply(CommandLinePropertyLoader(arguments: arguments))
        }
        #expect(store.listing == ["a=\"1\"", "b=\"2\""])
        #expect(store.history(of: "a").count == 1)
    }

    @Test("Sources with the same identity that are applied in one step are all kept")
    func oneStep() throws {
        let store = PropertyStore()
        let both = [Literal("same", ["x": 1, "y": 1]), Literal("same", ["x": 2])]
        try store.apply(both)
        #expect(store.listing == ["x=2", "y=1"])
        try store.apply(both)
        #expect(store.history(of: "x").map(\.valueText) == ["2", "1"])
        try store.apply(Literal("same", ["z": 3]))
        #expect(store.listing == ["z=3"])
    }
}
