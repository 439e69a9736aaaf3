import Container
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// This file does not import the loaders' modules, which contain these conversions. They are found because the modules
// are linked.

@Suite("A client that imports only `Container`")
struct OnlyContainerTests {
    enum Level: String, Codable { case info }

    @Test("Reads URL, Date and Data like a client that imports the loaders")
    func conversions() throws {
        let container = Container()
        try container.applyPropertyLoader(
            Literal([
                "url": "https://example.com/a?b=c", "date": "1970-01-01T00:00:01Z", "data": "AQI=", "level": "info",
            ]))
        #expect((container.property("url") as URL?)?.host == "example.com")
        #expect(container.property("date") as Date? == Date(timeIntervalSince1970: 1))
        #expect(container.property("data") as Data? == Data([1, 2]))
        #expect(container.property("level") == Level.info)
    }
}
