import Foundation
import PropertyLoaders
import Testing

@Suite("FoundationObjects: reflection of Foundation objects")
struct FoundationObjectsTests {
    private func store(_ instance: Any) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(StructPropertyLoader(unchecked: instance))
        return store
    }

    private func value(_ object: Any) throws -> PropertyValue {
        let layer = try StructPropertyLoader(unchecked: ["x": object] as [String: Any]).load()
        return try #require(layer.table["x"]).value
    }

    static let numbers: [(NSNumber, String)] = [
        (NSNumber(value: true), "bool(true)"), (NSNumber(value: false), "bool(false)"),
        (NSNumber(value: 0), "integer(0)"), (NSNumber(value: 1), "integer(1)"),
        (NSNumber(value: Int8(1)), "integer(1)"),
        (NSNumber(value: UInt8(255)), "integer(255)"), (NSNumber(value: Int16.min), "integer(-32768)"),
        (NSNumber(value: UInt32.max), "integer(4294967295)"),
        (NSNumber(value: Int64.min), "integer(-9223372036854775808)"),
        (NSNumber(value: UInt64(7)), "integer(7)"), (NSNumber(value: UInt64.max), "unsigned(18446744073709551615)"),
        (NSNumber(value: 1.0), "double(1.0)"), (NSNumber(value: 0.1), "double(0.1)"),
        (NSNumber(value: Float(0.5)), "double(0.5)"), (NSNumber(value: -Double.infinity), "double(-inf)"),
        (NSDecimalNumber(string: "30"), "integer(30)"), (NSDecimalNumber(string: "0.1"), "double(0.1)"),
        (NSDecimalNumber(string: "18446744073709551615"), "unsigned(18446744073709551615)"),
    ]

    @Test(
        "An NSNumber becomes a boolean, an integer or a Double, like the value it was created with",
        arguments: numbers.indices)
    func number(index: Int) throws {
        let (number, text) = Self.numbers[index]
        #expect("\(try value(number))" == text)
        guard case .array(let nodes) = try value([number] as [Any]) else { throw Unexpected() }
        #expect(nodes.map { "\($0.value)" } == [text])
    }

    @Test("A decimal number that neither an integer nor a Double holds without loss becomes a Decimal")
    func decimals() throws {
        for text in ["3.14159265358979323846", "123456789012345678901234567890", "-0.12345678901234567"] {
            let store = try store(["x": NSDecimalNumber(string: text)])
            #expect(store.property("x") == Decimal(string: text))
        }
    }

    @Test("An object in an `OpaqueValue` is read as that object, never as the value that it bridges to")
    func opaque() throws {
        struct Objects: PropertyLoader {
            func load() throws -> PropertyLayer {
                let list: NSArray = [1]
                return [
                    "one": .opaque(OpaqueValue(unchecked: NSNumber(value: 1))),
                    "yes": .opaque(OpaqueValue(unchecked: NSNumber(value: true))),
                    "list": .opaque(OpaqueValue(unchecked: list)),
                ]
            }
        }
        let store = PropertyStore()
        try store.apply(Objects())
        #expect(store.property("one") == NSNumber(value: 1))
        #expect(store.property("one") as Bool? == nil)
        #expect(store.property("one") as Bool?? == nil)
        #expect(store.property("yes") as Int? == nil)
        #expect(store.property("yes") as Double? == nil)
        #expect(store.property("list") as [Bool]? == nil)
        #expect(store.property("list") as NSArray? == [1])
    }

    @Test("An NSNull masks the value of an earlier source")
    func null() throws {
        let store = PropertyStore()
        try store.apply(StructPropertyLoader(["a": 1, "b": 2], name: "one"))
        try store.apply(StructPropertyLoader(unchecked: ["a": NSNull()] as [String: Any], name: "two"))
        #expect(store.property("a") as Int? == nil)
        #expect(store.property("b") == 2)
    }

    final class Settings {
        let port = NSNumber(value: 8080), debug = NSNumber(value: true), ratio = NSNumber(value: 1.0)
        let optional: NSNumber? = 7
        let none: NSNumber? = nil
        let name: NSString = NSMutableString(string: "app")
        let data = NSMutableData(data: Data([1, 2]))
        let date = NSDate(timeIntervalSinceReferenceDate: 5)
        let list: NSArray = [1, "a", true]
        let dates: NSArray = [NSDate(timeIntervalSinceReferenceDate: 5)]
        let numbers: [NSNumber] = [1, 0]
        let table: NSDictionary = NSMutableDictionary(dictionary: ["a": ["b": NSNumber(value: 2)], "c": [NSNull()]])
        let others: NSDictionary = [1: "one"]
        let empty = NSDictionary()
    }

    @Test("A Foundation object in a stored property becomes the Swift value that it bridges to")
    func fields() throws {
        let store = try store(Settings())
        #expect(store.property("port") == 8080)
        #expect(store.property("port") as Bool? == nil)
        #expect(store.property("debug") == true)
        #expect(store.property("debug") as Int? == nil)
        #expect(store.property("ratio") == 1.0)
        #expect(store.property("ratio") as Bool? == nil)
        #expect(store.property("optional") == 7)
        #expect(!store.entries.contains { $0.name == "none" })
        #expect(store.property("name") == "app")
        #expect(store.property("data") == Data([1, 2]))
        #expect(store.property("date") == Date(timeIntervalSinceReferenceDate: 5))
        #expect(store.property("numbers") == [1, 0])
        #expect(store.property("numbers") as [Bool]? == nil)
        #expect(store.property("dates") == [Date(timeIntervalSinceReferenceDate: 5)])
        #expect(store.property("table.a.b") == 2)
        #expect(store.property("table.c") == [Int?.none])
        #expect(store.property("others") == [1: "one"])
        #expect(store.entries.contains { $0.name == "empty" && $0.valueText == "{}" })
        guard case .array(let nodes) = store.property("list") as PropertyValue? else { throw Unexpected() }
        #expect(nodes.map { "\($0.value)" } == ["integer(1)", #"string("a")"#, "bool(true)"])
    }
}
