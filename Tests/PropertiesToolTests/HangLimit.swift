import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. The limit is long, because the time includes the waits for the threads that run tasks,
    /// and on a loaded machine other tests occupy these threads for minutes.
    static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
