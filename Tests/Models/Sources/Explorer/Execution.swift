/// A part of one run of a program: the accesses, which write each read gets its value from, and for each location the
/// order of its writes.
///
/// The rules are those of RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing sequential consistency in C/C++11",
/// PLDI 2017), without fences, and with the release sequences of C++20. An execution is only extended by events that
/// come later in their thread and read from writes that it has, so no value comes out of thin air.
struct Execution {
    private(set) var events: [Event] = []
    /// For each location, the numbers of its writes, oldest first.
    private(set) var writes: [[Int]]

    init(memory: [Int]) {
        writes = memory.indices.map { [$0] }
        for (location, value) in memory.enumerated() {
            events.append(
                Event(
                    thread: nil, location: location, ordering: .none, source: nil, value: nil, written: value, past: 0))
        }
    }

    /// The executions that one more access makes of this one, whether or not they are consistent.
    func extended(by access: Access, of thread: Int) -> [Execution] {
        let order = writes[access.location]
        switch access.kind {
        case .load: return order.map { adding(access, of: thread, source: $0, at: nil) }
        case .store(let value):
            return (1...order.count).map { adding(access, of: thread, written: value, at: $0) }
        case .update(let update):
            return order.indices.compactMap { index in
                let (source, next) = (order[index], index + 1)
                guard let new = update(events[source].written ?? 0) else {
                    return adding(access, of: thread, source: source, at: nil)
                }
                // Nothing may come between what an update reads and what it writes.
                if next < order.count, events[order[next]].source == source, events[order[next]].isUpdate { return nil }
                return adding(access, of: thread, source: source, written: new, at: next)
            }
        }
    }

    private func adding(
        _ access: Access, of thread: Int, source: Int? = nil, written: Int? = nil, at position: Int?
    ) -> Execution {
        var new = self
        new.events.append(
            Event(
                thread: thread, location: access.location, ordering: access.ordering, source: source,
                value: source.flatMap { events[$0].written }, written: written,
                past: past(of: thread, reading: source, access.ordering)))
        if let position { new.writes[access.location].insert(events.count, at: position) }
        return new
    }

    /// The events that happen before a new one: those of its thread, the initial values, and the release stores that an
    /// acquiring read gets its value from, directly or through updates.
    private func past(of thread: Int, reading source: Int?, _ ordering: MemoryOrdering) -> UInt64 {
        var past: UInt64 = 0
        for (number, event) in events.enumerated() where event.thread == thread || event.thread == nil {
            past |= event.past | 1 << number
        }
        var write = source
        while ordering.acquires, let number = write {
            if events[number].ordering.releases { past |= events[number].past | 1 << number }
            write = events[number].isUpdate ? events[number].source : nil
        }
        return past
    }
}

// MARK: - Rules

extension Execution {
    private func happens(_ first: Int, before second: Int) -> Bool { events[second].past & 1 << first != 0 }

    /// For each event, the place in the order of writes of the write that it is, or else of the one that it reads.
    private var places: [Int] {
        var places = [Int](repeating: 0, count: events.count)
        for order in writes { for (place, write) in order.enumerated() { places[write] = place } }
        for (number, event) in events.enumerated() where event.written == nil {
            places[number] = event.source.map { places[$0] } ?? 0
        }
        return places
    }

    /// Whether the memory model allows the execution.
    var isConsistent: Bool {
        let places = places
        return isCoherent(places) && isAtomic && isSequential(places)
    }

    /// Of two accesses to a location, the one that happens later neither is nor reads an older write.
    private func isCoherent(_ places: [Int]) -> Bool {
        for (second, event) in events.enumerated() {
            for first in events.indices where happens(first, before: second) {
                if events[first].location == event.location, places[first] > places[second] { return false }
            }
        }
        return true
    }

    /// A store may have come between the parts of an update after that was added.
    private var isAtomic: Bool {
        writes.allSatisfy { order in
            order.indices.allSatisfy { !events[order[$0]].isUpdate || events[order[$0]].source == order[$0 - 1] }
        }
    }

    /// The sequentially consistent events have one total order: the relation `psc` of RC11 has no cycle.
    private func isSequential(_ places: [Int]) -> Bool {
        let sequential = events.indices.filter { events[$0].isSequential }
        var later = [UInt64](repeating: 0, count: events.count)
        for first in sequential {
            for second in sequential where first != second && precedes(first, second, places) {
                later[first] |= 1 << second
            }
        }
        for middle in sequential {
            for first in sequential where later[first] & 1 << middle != 0 { later[first] |= later[middle] }
        }
        return sequential.allSatisfy { later[$0] & 1 << $0 == 0 }
    }

    /// The relation `scb` of RC11.
    private func precedes(_ first: Int, _ second: Int, _ places: [Int]) -> Bool {
        let (one, other) = (events[first], events[second])
        if one.thread == other.thread { return first < second }
        if one.location == other.location {
            if happens(first, before: second) { return true }
            // The order of writes, and from a read to the writes after the one that it reads.
            return other.written != nil && places[first] < places[second]
        }
        return events.indices.contains { next in
            next > first && events[next].thread == one.thread && events[next].location != one.location
                && events.indices.contains { last in
                    last < second && events[last].thread == other.thread && events[last].location != other.location
                        && happens(next, before: last)
                }
        }
    }

    /// A message if the newest event and an earlier one are a data race.
    var race: String? {
        guard let new = events.last, new.thread != nil else { return nil }
        for (number, event) in events.dropLast().enumerated() where event.location == new.location {
            if event.isAtomic && new.isAtomic || event.written == nil && new.written == nil { continue }
            if !happens(number, before: events.count - 1) { return "data race at location \(new.location)" }
        }
        return nil
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
            [names[number], events[number].source.map { names[$0] } ?? -1]
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
