/// The unit of a bare number in a setting that is a duration.
///
///     @Setting("How long a request may take", unit: .milliseconds) var timeout = Duration.seconds(30)
///
/// A whole number such as 500 is then 500 ms. In quotes, it is accepted only as text of an untyped source, such as the
/// environment. Text with a unit, such as `30s`, keeps its unit.
public struct SettingUnit<Value>: Sendable {
    @usableFromInline let unit: DurationUnit
}

/// A duration, or an optional one.
public protocol DurationValue {}
extension Duration: DurationValue {}
extension Optional: DurationValue where Wrapped == Duration {}

extension SettingUnit where Value: DurationValue {
    /// Days of 24 hours.
    public static var days: Self { Self(unit: .days) }
    /// Hours.
    public static var hours: Self { Self(unit: .hours) }
    /// Minutes.
    public static var minutes: Self { Self(unit: .minutes) }
    /// Seconds.
    public static var seconds: Self { Self(unit: .seconds) }
    /// Milliseconds.
    public static var milliseconds: Self { Self(unit: .milliseconds) }
    /// Microseconds.
    public static var microseconds: Self { Self(unit: .microseconds) }
    /// Nanoseconds.
    public static var nanoseconds: Self { Self(unit: .nanoseconds) }
}
