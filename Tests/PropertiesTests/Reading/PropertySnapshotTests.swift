import Container
import Properties
import Testing

@Suite("Snapshots: several reads of one state")
struct PropertySnapshotTests {
    struct Server: Decodable, Equatable { var port: Int }

    @Test("A snapshot keeps its values while its store and the store's parents change")
    func immutable() throws {
        let parent = PropertyStore()
        try parent.apply(Literal("a", ["server.port": 1, "name": "old"]))
        let store = PropertyStore(parent: parent)
        let inherited = store.snapshot
        try store.apply(Literal("b", ["server.port": 2]))
        let own = store.snapshot
        try parent.apply(Literal("c", ["server.port": 3, "name": "new"]))
        try store.apply(Literal("d", ["server.port": 4]))

        #expect((inherited.property("server.port"), inherited.property(.port)) == (1, 1))
        #expect((own.property("server.port"), own.property("name")) == (2, "old"))
        #expect((store.property("server.port"), store.property("name")) == (4, "new"))
        #expect(inherited.snapshot.property("name") == "old")
        #expect(try PropertyStore().snapshot.require(.port) == 8080)
    }

    @Test("A snapshot has every function that reads a store, and they see its state")
    func reading() throws {
        let store = PropertyStore()
        try store.apply(Lines("c", "server.port = 1\nlist = 5"))
        let snapshot = store.snapshot
        try store.apply(Literal("later", ["server.port": 2]))

        #expect(try snapshot.require("server.port") == 1)
        #expect(try snapshot.property("absent", default: 3) == 3)
        #expect(try snapshot.require(.port) == 1)
        #expect(try snapshot.bind(Server.self, at: "server") == Server(port: 1))
        #expect(snapshot.entries.map(\.description) == ["list = 5 (c:2:8)", "server.port = 1 (c:1:15)"])
        #expect(snapshot.history(of: "server.port").map(\.description) == ["server.port = 1 (c:1:15)"])
        #expect(snapshot.history(of: .port).map(\.description) == ["server.port = 1 (c:1:15)"])
        #expect(try snapshot.json(at: "list") == "5")
        #expect(snapshot.warnings.isEmpty)
        let error = #expect(throws: PropertyError.self) { try snapshot.require("lst") as Int }
        #expect(error?.description == "'lst' is missing; expected an integer. Did you mean 'list' (c:2:8)?")
    }

    @Test("A function over any readable properties takes a container, a store and a snapshot")
    func generic() throws {
        func port(_ properties: some PropertyReading) throws -> Int { try properties.require(.port) }
        let container = Container()
        try container.applyPropertyLoader(Literal(["server.port": 9]))
        let existential: any PropertyReading = container.properties.snapshot
        #expect(try port(container) == 9)
        #expect(try port(container.properties) == 9)
        #expect(try port(container.properties.snapshot) == 9)
        #expect(existential.property("server.port") == 9)
    }

    @Test("The history by a secret key is masked although the key is not declared")
    func secrets() throws {
        let store = try PropertyStore(Literal(["db.password": "hunter2"]))
        #expect(store.history(of: .password).map(\.description) == ["db.password = ******** (literal)"])
        #expect(store.history(of: PropertyKey("db.password")).map(\.isSecret) == [false])
    }
}
