import Properties
import Synchronization
import Testing

@Suite("Applying and reloading several sources in one step")
struct ReloadTests {
    @Test("Several sources are applied together: either all of them or none")
    func transaction() throws {
        let store = PropertyStore()
        try store.apply([Literal("a", ["x": 1]), Changing("b", ["x": 2, "y": 3])])
        #expect(store.listing == ["x=2", "y=3"])
        let broken = Changing("c")
        broken.set(nil)
        #expect(throws: ConfigurationErrors.self) { try store.apply([Literal("d", ["x": 9]), broken]) }
        #expect(store.listing == ["x=2", "y=3"])
        #expect(store.history(of: "x").count == 2)
        try store.apply([])
        #expect(store.listing == ["x=2", "y=3"])
    }

    @Test("A reload loads every source once and keeps the order of the sources")
    func order() throws {
        let first = Changing("first", hasFile: true, ["x": 1, "y": 1])
        let second = Changing("second", hasFile: true, ["x": 2])
        let store = PropertyStore()
        try store.apply([first, second])
        first.set(["x": 10, "y": 10, "new": 10])
        try store.reload()
        #expect(store.listing == ["new=10", "x=2", "y=10"])
        second.set(["z": 1])
        try store.reload()
        #expect(store.listing == ["new=10", "x=10", "y=10", "z=1"])
        #expect(first.loads == 3)
        #expect(store.files == ["/tmp/first", "/tmp/second"])
        #expect(store.history(of: "x").count == 1)
    }

    @Test("A reload does not undo changes that are applied while it loads")
    func applyWins() throws {
        final class Reentrant: PropertyLoader {
            let store = Mutex<PropertyStore?>(nil)
            func load() throws -> PropertyLayer {
                try store.withLock { $0 }?.apply(Literal("other", ["x": 2]))
                return PropertyLayer(PropertyTable(), source: PropertySource(name: "reentrant"))
            }
        }
        let store = try PropertyStore(Literal("other", ["x": 1]))
        let reentrant = Reentrant()
        try store.apply(reentrant)
        reentrant.store.withLock { $0 = store }
        try store.reload()
        reentrant.store.withLock { $0 = nil }
        #expect(store.listing == ["x=2"])
    }

    @Test("A source that is applied again under the same name replaces the loader too")
    func replacedLoader() throws {
        let store = PropertyStore()
        let old = Changing("same", ["x": 1])
        try store.apply(old)
        try store.apply(Changing("same", ["x": 2]))
        old.set(nil)
        try store.reload()
        #expect(store.listing == ["x=2"])
    }
}
