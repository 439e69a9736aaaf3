/// A part of one run of a program: the accesses, which write each read gets its value from, and for each location the
/// order of its writes.
///
/// Events are added in an order in which those of a thread stay in their order. In RC11, a read gets its value from a
/// write that was added before. In IMM, a read may also get a promised value, which another thread must write later.
struct Execution {
    let model: MemoryModel
    private(set) var events: [Event] = []
    /// For each location, the numbers of its writes, oldest first.
    private(set) var writes: [[Int]]

    init(memory: [Int], model: MemoryModel) {
        self.model = model
        writes = memory.indices.map { [$0] }
        for (location, value) in memory.enumerated() {
            events.append(
                Event(thread: nil, location: location, ordering: .none, source: nil, value: nil, written: value))
        }
    }

    /// Whether every value that is read has been written.
    var isComplete: Bool { !events.contains(where: \.isPromised) }

    /// The executions that one more access makes of this one, whether or not they are consistent.
    ///
    /// - Parameters:
    ///   - access: the access.
    ///   - thread: its thread.
    ///   - promises: the values that a read may get although nobody has written them yet.
    /// - Returns: an execution for each source of a read, and for each place of a write.
    func extended(by access: Access, of thread: Int, promises: Set<Int>) -> [Execution] {
        let order = writes[access.location]
        switch access.kind {
        case .load:
            return order.map { adding(access, of: thread, reading: events[$0].written, of: $0) }
                + promises.map { adding(access, of: thread, reading: $0) }
        case .store(let value): return keepingPromises(adding(access, of: thread, writing: value))
        case .update(let update):
            let sources = order.map { (number: Optional($0), value: events[$0].written ?? 0) }
            return (sources + promises.map { (nil, $0) }).flatMap { source in
                guard let new = update(source.value) else {
                    return [adding(access, of: thread, reading: source.value, of: source.number)]
                }
                return keepingPromises(
                    adding(access, of: thread, reading: source.value, of: source.number, writing: new))
            }
        }
    }

    /// Adds a read.
    private func adding(_ access: Access, of thread: Int, reading value: Int?, of source: Int? = nil) -> Execution {
        var new = self
        new.events.append(
            Event(
                thread: thread, location: access.location, ordering: access.ordering, source: source, value: value,
                written: nil))
        new.updatePasts()
        return new
    }

    /// Adds a write or an update, at each place in the order of the writes.
    private func adding(
        _ access: Access, of thread: Int, reading value: Int? = nil, of source: Int? = nil, writing written: Int
    ) -> [Execution] {
        let event = Event(
            thread: thread, location: access.location, ordering: access.ordering, source: source, value: value,
            written: written)
        return (1...writes[access.location].count).map { place in
            var new = self
            new.events.append(event)
            new.writes[access.location].insert(events.count, at: place)
            new.updatePasts()
            return new
        }
    }

    /// The executions in which the newest event, a write, is the source of none, some or all promised reads of its
    /// value.
    ///
    /// A promise is only needed for a write that the read leads to. Any other one can be added before the read.
    private func keepingPromises(_ executions: [Execution]) -> [Execution] {
        executions.flatMap { execution in
            let new = execution.events.count - 1, write = execution.events[new]
            return execution.events.indices.reduce([execution]) { all, number in
                let read = execution.events[number]
                guard read.isPromised, read.location == write.location, read.value == write.written,
                    read.thread != write.thread
                else { return all }
                return all + all.filter { $0.leads(from: number, to: new) }.map { $0.setting(new, asSourceOf: number) }
            }
        }
    }

    private func setting(_ write: Int, asSourceOf read: Int) -> Execution {
        var new = self
        new.events[read].source = write
        new.updatePasts()
        return new
    }

    /// Whether one event comes before another one in their thread, gives it its value, or both in several steps.
    private func leads(from first: Int, to last: Int) -> Bool {
        var (reached, open) = (Set([first]), [first])
        while let number = open.popLast() {
            for (next, event) in events.enumerated()
            where event.source == number || next > number && event.thread == events[number].thread {
                if reached.insert(next).inserted { open.append(next) }
            }
        }
        return reached.contains(last)
    }

    /// Computes for each event those that happen before it: the initial values, the earlier ones of its thread, and the
    /// release stores that an acquiring read gets its value from, directly or through updates.
    private mutating func updatePasts() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for number in events.indices where events[number].thread != nil {
                let past = past(of: number)
                if past != events[number].past { (events[number].past, isChanged) = (past, true) }
            }
        }
    }

    private func past(of number: Int) -> UInt64 {
        let event = events[number]
        var past: UInt64 = 0
        for (earlier, other) in events[..<number].enumerated()
        where other.thread == event.thread || other.thread == nil {
            past |= other.past | 1 << earlier
        }
        var write = event.ordering.acquires ? event.source : nil
        // At most once for each event: two updates may read from each other, until the rules reject that.
        for _ in events {
            guard let source = write else { break }
            if events[source].ordering.releases { past |= events[source].past | 1 << source }
            write = events[source].isUpdate ? events[source].source : nil
        }
        return past
    }
}

// MARK: - Views

extension Execution {
    /// What the accesses of a thread have read, as `Thread` needs it.
    func done(by thread: Int) -> [Int?] { events.filter { $0.thread == thread }.map(\.value) }

    /// The last value of each location.
    var memory: [Int] { writes.map { order in order.last.flatMap { events[$0].written } ?? 0 } }

    /// Equal for executions that differ only in the order in which their events were added.
    var identity: [Int] {
        var (names, counts) = ([Int](), [Int: Int]())
        for event in events {
            let thread = event.thread ?? -1
            names.append((thread + 1) << 16 | counts[thread, default: 0])
            counts[thread, default: 0] += 1
        }
        var identity = names.indices.sorted { names[$0] < names[$1] }.flatMap { number in
            let event = events[number]
            return [names[number], event.source.map { names[$0] } ?? -1, event.isPromised ? event.value ?? 0 : 0]
        }
        for order in writes { identity += [-2] + order.map { names[$0] } }
        return identity
    }

    /// The accesses in an order in which they were added, for a report.
    var trace: String {
        events.enumerated().filter { $1.thread != nil }.map { number, event in
            let read = event.source.map { " reads \(event.value ?? 0) of event \($0)" } ?? ""
            let written = event.written.map { " writes \($0)" } ?? ""
            let place = "thread \(event.thread ?? 0), location \(event.location)"
            return "  \(number): \(place)\(read)\(written) \(event.ordering)"
        }.joined(separator: "\n")
    }
}
