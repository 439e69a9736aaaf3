// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names of FoundationEssentials that the modules use, with the versions of macOS in which they appeared.

public struct URL: Hashable, Codable, Sendable {
    public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
    public init?(string: String) {}
    @available(macOS 14, *)
    public init?(string: String, encodingInvalidCharacters: Bool) {}
    @available(macOS 13, *)
    public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) {}
    public var absoluteString: String { "" }
    public var path: String { "" }
    public var relativePath: String { "" }
    public var pathExtension: String { "" }
    public var lastPathComponent: String { "" }
    public var baseURL: URL? { nil }
    public var isFileURL: Bool { false }
    public var hasDirectoryPath: Bool { false }
    public var standardizedFileURL: URL { self }
    public init?(string: String, relativeTo base: URL?) {}
    public var absoluteURL: URL { self }
    public var scheme: String? { nil }
    @available(macOS 13, *)
    public func host(percentEncoded: Bool = true) -> String? { nil }
    public var port: Int? { nil }
    public func deletingLastPathComponent() -> URL { self }
}

public struct URLComponents: Hashable, Sendable {
    public init() {}
    public init?(url: URL, resolvingAgainstBaseURL resolves: Bool) {}
    public var scheme: String?, user: String?, password: String?, host: String?, query: String?, fragment: String?
    public var percentEncodedPassword: String?, percentEncodedQuery: String?
    public var queryItems: [URLQueryItem]?, percentEncodedQueryItems: [URLQueryItem]?
    public var url: URL? { nil }
    public var string: String? { nil }
}

public struct URLQueryItem: Hashable, Sendable {
    public var name: String
    public var value: String?
}

public struct Data: Hashable, Codable, Sendable, RandomAccessCollection {
    public init() {}
    public init(_ bytes: some Sequence<UInt8>) {}
    public init?(base64Encoded text: String) {}
    public func base64EncodedString() -> String { "" }
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { 0 }
}

public struct Date: Hashable, Comparable, Codable, Sendable {
    public struct ISO8601FormatStyle: Sendable {
        @available(macOS 12, *)
        public init(includingFractionalSeconds: Bool = false) {}
    }
    public init() {}
    public init(timeIntervalSinceReferenceDate seconds: Double) {}
    public var timeIntervalSinceReferenceDate: Double { 0 }
    public var timeIntervalSince1970: Double { 0 }
    public init(timeIntervalSince1970 seconds: Double) {}
    public static var now: Date { Date(timeIntervalSinceReferenceDate: 0) }
    public func formatted(_ style: ISO8601FormatStyle) -> String { "" }
    public static func < (one: Date, other: Date) -> Bool { false }
}

public struct UUID: Hashable, Codable, Sendable {
    public init?(uuidString: String) {}
    public var uuidString: String { "" }
}

public struct Decimal: Hashable, Comparable, Codable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public init(integerLiteral value: Int) {}
    public init?(string: String) {}
    public var description: String { "" }
    public var isNaN: Bool { false }
    public static func < (one: Decimal, other: Decimal) -> Bool { false }
}

public final class FileManager: @unchecked Sendable {
    public static var `default`: FileManager { FileManager() }
    public var currentDirectoryPath: String { "" }
    public func isWritableFile(atPath path: String) -> Bool { false }
}

public struct CocoaError: Error {
    public struct Code: Sendable {
        public init() {}
    }
    public init(_ code: Code) {}
    public var filePath: String? { nil }
}

extension String {
    public struct Encoding: Sendable {
        public static let ascii = Encoding(), utf16BigEndian = Encoding()
    }
    public init?(bytes: some Sequence<UInt8>, encoding: Encoding) { return nil }
}
