import Explorer

/// Readers and writers of references that one hazard protects, with a slot for each reader.
struct HazardModels {
    let orderings: Orderings

    var all: [Program] {
        [
            readerAndWriter(retains: false), readerAndWriter(retains: true), comparison, twoReaders, twoWriters,
            twoReadersAndWriters, secondRead, twoReferences,
        ]
    }

    /// The steps R1 to R3 of `Hazard.protect`. The reader retains the object and uses it afterwards, or only uses it.
    func read(
        _ reference: Int, under slot: Int, _ objects: Objects, retains: Bool = false, _ thread: inout Thread
    ) throws {
        try thread.store(1, slot, orderings[.begin])
        let object = try thread.load(reference, orderings[.read])
        if object != 0 {
            if retains { try objects.retain(object, &thread) } else { try objects.use(object, &thread) }
        }
        try thread.store(0, slot, orderings[.end])
        if retains, object != 0 {
            try objects.use(object, &thread)
            try objects.release(object, &thread)
        }
    }

    /// The steps W1 to W3 of `AtomicReference.exchange`.
    private func exchange(
        _ new: Int, _ reference: Int, slots: [Int], _ objects: Objects, _ thread: inout Thread
    ) throws {
        if new != 0 { try objects.make(new, &thread) }
        let old = try thread.exchange(new, reference, orderings[.exchange])
        if old == 0 { return }
        try waitForReaders(slots, &thread)
        try objects.release(old, &thread)
    }

    func waitForReaders(_ slots: [Int], _ thread: inout Thread) throws {
        for slot in slots { try thread.wait(until: try thread.load(slot, orderings[.look]) != 1) }
    }

    /// Programs that are wrong whatever the orderings are.
    var mistakes: [Program] { [lateRetain, earlyLook, missedSlot] }

    private func readerAndWriter(retains: Bool) -> Program {
        var layout = Layout()
        let (slot, reference, objects) = (layout.location(), layout.location(1), layout.objects(2))
        return Program(
            retains ? "a reader that retains, and a writer" : "a reader and a writer", memory: layout.memory,
            threads: [
                { try read(reference, under: slot, objects, retains: retains, &$0) },
                { try exchange(2, reference, slots: [slot], objects, &$0) },
            ])
    }

    private var comparison: Program {
        var layout = Layout()
        let (slot, reference, objects) = (layout.location(), layout.location(1), layout.objects(2))
        return Program(
            "a reader and a writer that compares", memory: layout.memory,
            threads: [
                { try read(reference, under: slot, objects, &$0) },
                { thread in
                    try objects.make(2, &thread)
                    let old = try thread.compareExchange(1, 2, reference, orderings[.replace])
                    try waitForReaders([slot], &thread)
                    try objects.release(old, &thread)
                },
            ])
    }

    private var twoReaders: Program {
        var layout = Layout()
        let slots = [layout.location(), layout.location()]
        let (reference, objects) = (layout.location(1), layout.objects(2))
        return Program(
            "two readers and a writer", memory: layout.memory,
            threads: [
                { try read(reference, under: slots[0], objects, &$0) },
                { try read(reference, under: slots[1], objects, &$0) },
                { try exchange(2, reference, slots: slots, objects, &$0) },
            ])
    }

    private var twoWriters: Program {
        var layout = Layout()
        let (slot, reference, objects) = (layout.location(), layout.location(1), layout.objects(3))
        return Program(
            "a reader and two writers", memory: layout.memory,
            threads: [
                { try read(reference, under: slot, objects, &$0) },
                { try exchange(2, reference, slots: [slot], objects, &$0) },
                { try exchange(3, reference, slots: [slot], objects, &$0) },
            ])
    }

    private var twoReadersAndWriters: Program {
        var layout = Layout()
        let slots = [layout.location(), layout.location()]
        let (reference, objects) = (layout.location(1), layout.objects(3))
        return Program(
            "two readers and two writers", memory: layout.memory,
            threads: [
                { try read(reference, under: slots[0], objects, &$0) },
                { try read(reference, under: slots[1], objects, &$0) },
                { try exchange(2, reference, slots: slots, objects, &$0) },
                { try exchange(3, reference, slots: slots, objects, &$0) },
            ])
    }

    private var secondRead: Program {
        var layout = Layout()
        let (slot, reference, objects) = (layout.location(), layout.location(1), layout.objects(2))
        return Program(
            "a reader that reads twice, and a writer that removes what it has added", memory: layout.memory,
            threads: [
                { thread in
                    try read(reference, under: slot, objects, &thread)
                    try read(reference, under: slot, objects, &thread)
                },
                { thread in
                    try exchange(2, reference, slots: [slot], objects, &thread)
                    try exchange(0, reference, slots: [slot], objects, &thread)
                },
            ])
    }

    /// A writer removes both objects before it waits once, as a container does with registrations.
    private var twoReferences: Program {
        var layout = Layout()
        let (slot, references) = (layout.location(), [layout.location(1), layout.location(2)])
        let objects = layout.objects(2, existing: 2)
        return Program(
            "a reader of two references, and a writer that removes both", memory: layout.memory,
            threads: [
                { thread in
                    try thread.store(1, slot, orderings[.begin])
                    for reference in references {
                        let object = try thread.load(reference, orderings[.read])
                        if object != 0 { try objects.use(object, &thread) }
                    }
                    try thread.store(0, slot, orderings[.end])
                },
                { thread in
                    for reference in references { _ = try thread.exchange(0, reference, orderings[.exchange]) }
                    try waitForReaders([slot], &thread)
                    for object in [1, 2] { try objects.release(object, &thread) }
                },
            ])
    }

    /// What a compiler would do that moved the retain past R3.
    private var lateRetain: Program {
        var layout = Layout()
        let (slot, reference, objects) = (layout.location(), layout.location(1), layout.objects(2))
        return Program(
            "a reader retains after R3", memory: layout.memory,
            threads: [
                { thread in
                    try thread.store(1, slot, orderings[.begin])
                    let object = try thread.load(reference, orderings[.read])
                    try thread.store(0, slot, orderings[.end])
                    try objects.retain(object, &thread)
                    try objects.release(object, &thread)
                },
                { try exchange(2, reference, slots: [slot], objects, &$0) },
            ])
    }

    private var earlyLook: Program {
        var layout = Layout()
        let (slot, reference, objects) = (layout.location(), layout.location(1), layout.objects(1))
        return Program(
            "a writer does W2 before W1", memory: layout.memory,
            threads: [
                { try read(reference, under: slot, objects, &$0) },
                { thread in
                    try waitForReaders([slot], &thread)
                    try objects.release(try thread.exchange(0, reference, orderings[.exchange]), &thread)
                },
            ])
    }

    private var missedSlot: Program {
        var layout = Layout()
        let slots = [layout.location(), layout.location()]
        let (reference, objects) = (layout.location(1), layout.objects(2))
        return Program(
            "a writer looks at one of two slots", memory: layout.memory,
            threads: [
                { try read(reference, under: slots[1], objects, &$0) },
                { try exchange(2, reference, slots: [slots[0]], objects, &$0) },
            ])
    }
}
