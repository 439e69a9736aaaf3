// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names that only the whole Foundation has.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#endif

public final class Bundle: @unchecked Sendable {
    public static var main: Bundle { Bundle() }
    public var bundlePath: String { "" }
    public func url(forResource name: String?, withExtension extension: String?) -> URL? { nil }
}

public final class NSNumber {
    public init(value: Bool) {}
    public var doubleValue: Double { 0 }
    public var stringValue: String { "" }
    public var objCType: UnsafePointer<CChar> { unsafe UnsafePointer(bitPattern: 1)! }
}

public final class NSError: Error {
    fileprivate init() {}
    public var userInfo: [String: Any] { [:] }
}

public let NSDebugDescriptionErrorKey = "NSDebugDescription"

extension CocoaError.Code {
    public static var propertyListReadCorrupt: Self { Self() }
}

public enum PropertyListSerialization {
    public enum PropertyListFormat { case openStep, xml, binary }
    public struct ReadOptions: Sendable {
        public static var mutableContainersAndLeaves: Self { Self() }
    }
    public static func propertyList(
        from data: Data, options: ReadOptions, format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any { 0 }
}

// The compiler calls these for `as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { NSError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { NSError() }
