import Properties
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// This file does not import the loaders' modules, which contain these conversions. They are found because the modules
// are linked.

@Suite("A client that imports only `Properties`")
struct OnlyPropertiesTests {
    enum Level: String, Codable { case info }

    @Test("Reads URL, Date and Data like a client that imports the loaders")
    func conversions() throws {
        let store = try PropertyStore(
            Literal([
                "url": "https://example.com/a?b=c", "date": "1970-01-01T00:00:01Z", "data": "AQI=", "level": "info",
            ]))
        #expect((store.property("url") as URL?)?.host == "example.com")
        #expect(store.property("date") as Date? == Date(timeIntervalSince1970: 1))
        #expect(store.property("data") as Data? == Data([1, 2]))
        #expect(store.property("level") == Level.info)
    }
}
