// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names of Dispatch that the modules use.

public struct DispatchTime: Comparable, Sendable {
    public static let distantFuture = DispatchTime()
    public static func now() -> DispatchTime { DispatchTime() }
    public static func < (one: DispatchTime, other: DispatchTime) -> Bool { false }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

public enum DispatchTimeInterval: Sendable {
    case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int)
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchQueue: @unchecked Sendable {
    public init(label: String) {}
    public func async(execute work: @escaping @Sendable () -> Void) {}
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {}
}

public final class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int) {}
    @discardableResult public func signal() -> Int { 0 }
    @available(*, noasync) public func wait() {}
    @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
