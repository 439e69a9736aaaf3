import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Lists in errors and warnings are bounded")
struct BoundedListTests {
    @Test(
        "The text of a list has the first names and the number of the rest",
        arguments: [
            (0, ""), (1, "n0"), (2, "n0 and n1"), (3, "n0, n1 and n2"), (4, "n0, n1, n2 and 1 more"),
            (19_995, "n0, n1, n2 and 19,992 more"),
        ])
    func text(count: Int, expected: String) {
        var list = BoundedList<String>(limit: 3)
        for number in 0..<count { list.append("n\(number)") }
        #expect(list.text == expected)
        #expect(BoundedList((0..<count).map { "n\($0)" }, limit: 3).text == expected)
    }

    @Test(
        "A comma separates each group of three digits",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (100_000, "100,000")])
    func grouped(number: Int, expected: String) {
        #expect(number.grouped == expected)
    }

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
