import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Lists in errors and warnings are bounded")
struct BoundedListTests {
    @Test("The error about a variable that matches 20,000 names shows only a few of them")
    func ambiguous() throws {
        // Each bit of the number decides whether an underscore follows the letter at its position.
        let names = (0..<20_000).map { number in
            "abcdefghijklmnop".enumerated().map { number >> $0 & 1 == 1 ? "\($1)_" : "\($1)" }.joined()
        }
        var loader = Literal([:])
        loader.table = PropertyTable(names.map { ($0, .integer(1)) })
        let store = try PropertyStore(loader)
        let variables = EnvironmentPropertyLoader(
            prefix: "APP_", environment: ["APP_A_B_C_D_E_F_G_H_I_J_K_L_M_N_O_P": "1"])
        let time = ThreadTime.measure {
            let error = loadError { try store.apply(variables) }
            #expect(error?.notes.count == 5)
            #expect(error?.problem.hasSuffix("' and 19,995 more") == true)
        }
        #expect(time < .seconds(5), "\(time)")
    }

    @Test("The first hundred of very many duplicate keys are warnings, and one more warning has the number of the rest")
    func repeated() throws {
        let json = "{\(Array(repeating: "\"a\": 1", count: 20_000).joined(separator: ","))}"
        let warnings = try JsonPropertyLoader(string: json, name: "a.json").load().warnings
        #expect(warnings.count == 101)
        #expect(
            warnings.last?.description == "a.json: there are 19,899 more warnings of this kind")
        let lines = String(repeating: "A=1\n", count: 20_000)
        let others = try DotEnvPropertyLoader(string: lines, name: ".env").load().warnings
        #expect(others.count == 101)
        #expect(others.last?.description == ".env: there are 19,899 more warnings of this kind")
        #expect(others.last?.reason == .duplicate)
    }

    @Test("A long duplicate key is shortened in its warning")
    func longKey() throws {
        let key = String(repeating: "k", count: 100_000)
        let warning = try JsonPropertyLoader(string: "{\"\(key)\": 1, \"\(key)\": 2}", name: "a.json").load().warnings
            .first
        #expect(try #require(warning).description.utf8.count < 300)
    }
}
