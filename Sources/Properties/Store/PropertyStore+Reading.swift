// The reads that a service makes all the time: a look at the published state, with nothing locked, copied or counted.
extension PropertyStore {
    /// The value of a name, or nil where it is absent, null, or not exactly a `T`.
    @inlinable
    func read<T>(_ name: String, _ hash: UInt32, as type: T.Type) -> T? {
        // Compiled into the caller, where the type is known, so that one of these lines remains.
        // Safe: each has just seen that `T` is the type that the bits are of.
        if type == Int.self { return unsafe unsafeBitCast(integer(name, hash), to: T?.self) }
        if type == String.self { return unsafe unsafeBitCast(string(name, hash), to: T?.self) }
        if type == Bool.self { return unsafe unsafeBitCast(boolean(name, hash), to: T?.self) }
        if type == Double.self { return unsafe unsafeBitCast(number(name, hash), to: T?.self) }
        return convert(name, hash, as: type)
    }

    @usableFromInline
    func integer(_ name: String, _ hash: UInt32) -> Int? {
        let hit = look(name, hash)
        if hit.kind == .integer { return Int(exactly: Int64(bitPattern: hit.bits)) }
        return hit.kind == .missing ? nil : convert(name, hash, as: Int.self)
    }

    @usableFromInline
    func boolean(_ name: String, _ hash: UInt32) -> Bool? {
        let hit = look(name, hash)
        if hit.kind == .boolean { return hit.bits == 1 }
        return hit.kind == .missing ? nil : convert(name, hash, as: Bool.self)
    }

    @usableFromInline
    func number(_ name: String, _ hash: UInt32) -> Double? {
        let hit = look(name, hash)
        if hit.kind == .number { return Double(bitPattern: hit.bits) }
        return hit.kind == .missing ? nil : convert(name, hash, as: Double.self)
    }

    @usableFromInline
    func string(_ name: String, _ hash: UInt32) -> String? {
        var string: String?
        let hit = look(name, hash) { state, hit in
            guard hit.kind == .string else { return }
            if case .string(let found) = state.tree.elements[Int(hit.index)].node.value { string = found }
        }
        return hit.kind == .string || hit.kind == .missing ? string : convert(name, hash, as: String.self)
    }

    /// Any type, the long way.
    @usableFromInline
    func convert<T>(_ name: String, _ hash: UInt32, as type: T.Type) -> T? {
        try? snapshot.read(PropertyKey(name, hash), as: type)
    }

    /// What a name leads to in the current state.
    ///
    /// - Parameter visit: looks at the state where it has the name; must be short and run no user's code.
    @inline(__always)
    private func look(
        _ name: String, _ hash: UInt32, visit: (PropertySnapshot, NameIndex.Hit) -> Void = { _, _ in }
    ) -> NameIndex.Hit {
        if let parent, published.isCurrent(.empty) { return parent.lookOn(name, hash, visit: visit) }
        return published.withCurrent { state in
            // Where a store above has changed, the long way brings this one up to date.
            guard isFresh(state) else { return .unknown }
            let hit = state.look(name, hash)
            visit(state, hit)
            return hit
        } ?? .unknown
    }

    private func lookOn(
        _ name: String, _ hash: UInt32, visit: (PropertySnapshot, NameIndex.Hit) -> Void
    ) -> NameIndex.Hit {
        look(name, hash, visit: visit)
    }
}

extension PropertySnapshot {
    /// What a name leads to.
    @inline(__always)
    func look(_ name: String, _ hash: UInt32) -> NameIndex.Hit {
        if let hit = unsafe name.utf8.withContiguousStorageIfAvailable({ unsafe index.find(hash, $0, in: self) }) {
            return hit
        }
        // A string of another system's: Swift's own ones are contiguous.
        var copy = name
        return copy.withUTF8 { unsafe index.find(hash, $0, in: self) }
    }
}
