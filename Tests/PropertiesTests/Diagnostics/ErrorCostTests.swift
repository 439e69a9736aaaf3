import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Very many errors are reported in little time")
struct ErrorCostTests {
    @Test("Only the first of very many unresolved placeholders gets a suggestion")
    func placeholders() {
        let entries = (0..<8000).map { ("property\($0)", PropertyValue.string("${propertx\($0)}")) }
        var loader = Literal([:])
        loader.table = PropertyTable(entries)
        let source = loader.replacingPlaceholders()
        let time = ThreadTime.measure {
            loadError { try PropertyStore().apply(source) }
        }
        #expect(time < .seconds(10), "\(time)")
    }

    private func unknown(_ count: Int, known: Int, _ environment: [String: String] = [:]) throws -> Duration {
        var loader = Literal([:])
        loader.table = PropertyTable((0..<count).map { ("setting_\($0)", PropertyValue.integer(0)) })
        let store = PropertyStore()
        for number in 0..<known { store.declare(TypedKey<Int>("settimg_\(number)", default: 0)) }
        return ThreadTime.measure {
            do throws(ConfigurationErrors) {
                let variables = EnvironmentPropertyLoader(prefix: "P", environment: environment)
                try store.start([loader, variables], unknownKeys: .refused)
                Issue.record("nothing was refused")
            } catch {
                #expect(error.problems.count == count + environment.count)
                #expect(!environment.isEmpty || error.description.contains("Did you mean 'settimg_"))
            }
        }
    }

    @Test("The report of unknown keys costs about as much as reading them")
    func manyUnknownKeys() throws {
        let many = try unknown(4000, known: 4000)
        #expect(many < .seconds(6), "\(many)")
        let few = try unknown(10_000, known: 100)
        #expect(few < .seconds(4), "\(few)")
        let variables = (0..<2000).map { ("P_NEW_\($0)", "1") }
        let environment = try unknown(10, known: 4000, Dictionary(uniqueKeysWithValues: variables))
        #expect(environment < .seconds(6), "\(environment)")
    }

    @Test("A suggestion for a missing key among very many names takes a moment")
    func missingKey() throws {
        var loader = Literal([:])
        loader.table = PropertyTable((0..<30_000).map { ("setting_\($0)", PropertyValue.integer(0)) })
        let store = try PropertyStore(loader)
        let time = ThreadTime.measure {
            let error = #expect(throws: PropertyError.self) { try store.require("setling_123", as: Int.self) }
            #expect(error?.description.contains("Did you mean 'setting_") == true)
        }
        #expect(time < .seconds(3), "\(time)")
    }

    @Test("Thousands of keys can be declared one by one: the sources are not merged again")
    func oneByOne() throws {
        var loader = Literal([:])
        loader.table = PropertyTable((0..<4000).map { ("key_\($0)", PropertyValue.integer(0)) })
        let store = try PropertyStore(loader)
        let time = ThreadTime.measure {
            for number in 0..<4000 { store.declare(TypedKey<Int>("key_\(number)", default: 0)) }
        }
        #expect(store.declaredKeys.count == 4000)
        #expect(time < .seconds(5), "\(time)")
    }
}
