#if os(Linux)
    import Foundation
    import Properties
    import PropertyLoadersEssentials
    import TestSupport
    import Testing

    // Each test runs in its own process, because it affects the whole process.
    @Suite("Watching while system calls fail", .hangLimit)
    struct WatchingFaultTests {
        @Test(
            "While a call keeps failing, the old state stays, and a change is loaded when the fault ends",
            arguments: InjectedFailures.Call.allCases.indices)
        func forAWhile(index: Int) async {
            await #expect(processExitsWith: .success) { [index = index as Int] in
                let call = InjectedFailures.Call.allCases[index]
                for code in LongRun.isRequested ? [EIO, EMFILE, EACCES] : [EIO] {
                    let sources = try FaultySources(value: 0), store = PropertyStore(), calls = Calls()
                    try store.apply(sources.loaders)
                    InjectedFailures.set { $0 == call && calls.next($0) > 0 ? code : nil }
                    let running = Running(store)
                    while calls.count(call) == 0 { try await Task.sleep(for: .milliseconds(1)) }
                    try sources.set(1)
                    // A reload between the changes of two files loads only the first of them.
                    #expect(Set(FaultySources.values(in: store)).isSubset(of: [0, 1]), "\(call) fails with \(code)")
                    InjectedFailures.set(nil)
                    await running.wait(for: sources, 1)
                    try sources.set(2)
                    await running.wait(for: sources, 2)
                    try await running.stop()
                }
            }
        }
    }

    extension Running {
        /// Waits until all sources have a value.
        fileprivate func wait(for sources: FaultySources, _ value: Int) async {
            let changes = store.changes()
            if FaultySources.values(in: store).allSatisfy({ $0 == value }) { return }
            for await _ in changes where FaultySources.values(in: store).allSatisfy({ $0 == value }) { return }
        }
    }
#endif
