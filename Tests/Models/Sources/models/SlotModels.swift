import Explorer

/// Slots of threads that begin and end, and the thread-local key. See `ThreadSlot` and `ThreadLocal`.
struct SlotModels {
    let orderings: Orderings
    private var hazards: HazardModels { HazardModels(orderings: orderings) }

    var all: [Program] { [newSlot, twoNewSlots, reusedSlot, foundSlot, twoKeys] }

    /// The locations of a slot that a thread uses. The list names a slot by its place among all slots, from 1: 0 is its
    /// end.
    private struct Slot: Sendable {
        let hazard: Int, isTaken: Int, next: Int
        init(_ layout: inout Layout) {
            (hazard, isTaken, next) = (layout.location(), layout.location(1), layout.location())
        }
    }

    /// `ThreadSlot.added`: the thread sets the fields of its slot and then adds the slot to the list.
    private func add(_ number: Int, _ slots: [Slot], head: Int, _ thread: inout Thread) throws {
        var next = try thread.load(head, .relaxed)
        // With two threads, the second attempt succeeds.
        for _ in 1...2 {
            try thread.store(next, slots[number - 1].next)
            let now = try thread.compareExchange(next, number, head, orderings[.addSlot])
            if now == next { return }
            next = now
        }
        try thread.check(false, "a slot was not added")
    }

    /// `ThreadSlot.forEach` and `Hazard.waitForReaders`.
    private func waitForAll(_ slots: [Slot], head: Int, _ thread: inout Thread) throws {
        var number = try thread.load(head, orderings[.listSlots])
        while number != 0 {
            try hazards.waitForReaders([slots[number - 1].hazard], &thread)
            number = try thread.load(slots[number - 1].next)
        }
    }

    private func replace(
        _ reference: Int, _ slots: [Slot], head: Int, _ objects: Objects, _ thread: inout Thread
    ) throws {
        let old = try thread.exchange(0, reference, orderings[.exchange])
        try waitForAll(slots, head: head, &thread)
        try objects.release(old, &thread)
    }

    private var newSlot: Program {
        var layout = Layout()
        let (head, reference, objects) = (layout.location(), layout.location(1), layout.objects(1))
        let slots = [Slot(&layout)]
        return Program(
            "a new thread reads, and a writer", memory: layout.memory,
            threads: [
                { thread in
                    try add(1, slots, head: head, &thread)
                    try hazards.read(reference, under: slots[0].hazard, objects, &thread)
                },
                { try replace(reference, slots, head: head, objects, &$0) },
            ])
    }

    private var twoNewSlots: Program {
        var layout = Layout()
        let (head, reference, objects) = (layout.location(), layout.location(1), layout.objects(1))
        let slots = [Slot(&layout), Slot(&layout)]
        return Program(
            "two new threads, one of which reads, and a writer", memory: layout.memory,
            threads: [
                { thread in
                    try add(1, slots, head: head, &thread)
                    try hazards.read(reference, under: slots[0].hazard, objects, &thread)
                },
                { try add(2, slots, head: head, &$0) },
                { try replace(reference, slots, head: head, objects, &$0) },
            ])
    }

    /// A thread ends, and another one may take its slot. Both read.
    private var reusedSlot: Program {
        var layout = Layout()
        let (reference, objects) = (layout.location(1), layout.objects(1))
        let (slot, user) = (Slot(&layout), layout.location())
        return Program(
            "a thread takes the slot of one that ends, and a writer", memory: layout.memory,
            threads: [
                { thread in
                    try hazards.read(reference, under: slot.hazard, objects, &thread)
                    try thread.store(1, user)
                    try thread.store(0, slot.isTaken, orderings[.leaveSlot])
                },
                { thread in
                    try thread.wait(until: try takes(slot, &thread))
                    try thread.store(2, user)
                    try hazards.read(reference, under: slot.hazard, objects, &thread)
                },
                { thread in
                    let old = try thread.exchange(0, reference, orderings[.exchange])
                    try hazards.waitForReaders([slot.hazard], &thread)
                    try objects.release(old, &thread)
                },
            ])
    }

    private func takes(_ slot: Slot, _ thread: inout Thread) throws -> Bool {
        try thread.compareExchange(0, 1, slot.isTaken, orderings[.takeSlot]) == 0
    }

    /// A thread adds a slot. Two others look for a free one, and at most one of them gets it.
    private var foundSlot: Program {
        var layout = Layout()
        let (head, user) = (layout.location(), layout.location())
        let slots = [Slot(&layout)]
        let find: @Sendable (inout Thread) throws -> Void = { thread in
            let number = try thread.load(head, orderings[.findSlot])
            if number == 0 { return }
            _ = try thread.load(slots[number - 1].next)
            if try takes(slots[number - 1], &thread) { try thread.store(1, user) }
        }
        return Program(
            "two threads look for the slot of one that ends", memory: layout.memory,
            threads: [
                { thread in
                    try add(1, slots, head: head, &thread)
                    try thread.store(1, user)
                    try thread.store(0, slots[0].isTaken, orderings[.leaveSlot])
                }, find, find,
            ])
    }

    /// Two threads make the key of the C library at the same time, and a third one uses it. See `ThreadLocal.made`.
    private var twoKeys: Program {
        var layout = Layout()
        let (key, isMade) = (layout.location(), [layout.location(), layout.location()])
        let make: @Sendable (Int, inout Thread) throws -> Void = { number, thread in
            try thread.store(1, isMade[number - 1])
            let other = try thread.compareExchange(0, number, key, orderings[.addKey])
            if other == 0 { return }
            try thread.check(try thread.load(isMade[other - 1]) == 1, "a key is used before it is made")
        }
        return Program(
            "two threads make a key, and a third one uses it", memory: layout.memory,
            threads: [
                { try make(1, &$0) }, { try make(2, &$0) },
                { thread in
                    let number = try thread.load(key, orderings[.loadKey])
                    if number == 0 { return }
                    try thread.check(try thread.load(isMade[number - 1]) == 1, "a key is used before it is made")
                },
            ])
    }
}
