extension Execution {
    /// Whether the memory model allows the execution.
    ///
    /// The rules about promised reads are only checked when the execution has the writes.
    var isConsistent: Bool {
        let places = places
        return isCoherent(places) && isAtomic && isSequential(places) && (model == .rc11 || isCausal)
    }

    private func happens(_ first: Int, before second: Int) -> Bool { events[second].past & 1 << first != 0 }

    /// For each event, the place in the order of writes of the write that it is, or else of the one that it reads. Nil
    /// for a promised read that does not write.
    private var places: [Int?] {
        var places = [Int?](repeating: nil, count: events.count)
        for order in writes { for (place, write) in order.enumerated() { places[write] = place } }
        for (number, event) in events.enumerated() where event.written == nil {
            places[number] = event.source.flatMap { places[$0] }
        }
        return places
    }

    /// Nothing happens before itself. Of two accesses to a location, the one that happens later neither is nor reads an
    /// older write.
    private func isCoherent(_ places: [Int?]) -> Bool {
        for (second, event) in events.enumerated() {
            if happens(second, before: second) { return false }
            for first in events.indices where happens(first, before: second) {
                guard events[first].location == event.location, let place = places[first], let other = places[second]
                else { continue }
                if place > other { return false }
            }
        }
        return true
    }

    /// Nothing comes between what an update reads and what it writes.
    private var isAtomic: Bool {
        writes.allSatisfy { order in
            order.indices.allSatisfy { place in
                let event = events[order[place]]
                return !event.isUpdate || event.isPromised || event.source == order[place - 1]
            }
        }
    }

    /// The sequentially consistent events have one total order: the relation `psc` of RC11 has no cycle.
    private func isSequential(_ places: [Int?]) -> Bool {
        let sequential = events.indices.filter { events[$0].isSequential }
        return !hasCycle(among: sequential) { precedes($0, $1, places) }
    }

    /// The relation `scb` of RC11.
    private func precedes(_ first: Int, _ second: Int, _ places: [Int?]) -> Bool {
        let (one, other) = (events[first], events[second])
        if one.thread == other.thread { return first < second }
        if one.location == other.location {
            if happens(first, before: second) { return true }
            // The order of writes, and from a read to the writes after the one that it reads.
            guard let place = places[first], let last = places[second] else { return false }
            return other.written != nil && place < last
        }
        return events.indices.contains { next in
            next > first && events[next].thread == one.thread && events[next].location != one.location
                && events.indices.contains { last in
                    last < second && events[last].thread == other.thread && events[last].location != other.location
                        && happens(next, before: last)
                }
        }
    }

    /// No cycle of reads from other threads and of accesses that stay in the order of their thread: the relation `ar`
    /// of IMM, without dependencies.
    private var isCausal: Bool {
        !hasCycle(among: Array(events.indices)) { first, second in
            let (one, other) = (events[first], events[second])
            if one.thread != other.thread { return other.source == first }
            guard one.thread != nil, first < second else { return false }
            return one.ordering.acquires || other.written != nil && other.ordering.releases
                || one.written != nil && one.ordering.releases && other.written != nil && one.location == other.location
        }
    }

    private func hasCycle(among numbers: [Int], _ precedes: (Int, Int) -> Bool) -> Bool {
        var later = [UInt64](repeating: 0, count: events.count)
        for first in numbers {
            for second in numbers where first != second && precedes(first, second) { later[first] |= 1 << second }
        }
        for middle in numbers {
            for first in numbers where later[first] & 1 << middle != 0 { later[first] |= later[middle] }
        }
        return numbers.contains { later[$0] & 1 << $0 != 0 }
    }

    /// A message if two events are a data race. Nil while a promised value has not been written, since it may never be.
    var race: String? {
        guard isComplete else { return nil }
        for (second, event) in events.enumerated() where event.thread != nil {
            for (first, other) in events[..<second].enumerated() where other.location == event.location {
                if other.isAtomic && event.isAtomic || other.written == nil && event.written == nil { continue }
                if !happens(first, before: second), !happens(second, before: first) {
                    return "data race at location \(event.location)"
                }
            }
        }
        return nil
    }
}
