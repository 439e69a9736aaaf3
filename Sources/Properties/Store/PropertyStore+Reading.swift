import SharedState

// The fast path of reads. It accesses the published state under the lock of this thread's stripe, without copying it.
extension PropertyStore {
    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value, or nil.
    @inlinable
    public func property<T>(_ key: PropertyKey) -> T? { read(key.rawValue, key.nameHash, as: T.self) }

    /// Returns the value of a name, or nil if it is missing, null, or cannot be converted to `T` without loss.
    @inlinable
    func read<T>(_ name: String, _ hash: UInt32, as type: T.Type) -> T? {
        // The compiler inlines this into the caller, where `T` is known, and removes all of these lines but one.
        if type == Int.self { return unsafe unsafeBitCast(integer(name, hash), to: T?.self) }
        if type == String.self { return unsafe unsafeBitCast(string(name, hash), to: T?.self) }
        if type == Bool.self { return unsafe unsafeBitCast(boolean(name, hash), to: T?.self) }
        if type == Double.self { return unsafe unsafeBitCast(number(name, hash), to: T?.self) }
        return convert(name, hash, as: type)
    }

    @usableFromInline
    func integer(_ name: String, _ hash: UInt32) -> Int? {
        let hit = lookUp(name, hash)
        if hit.kind == .integer { return Int(exactly: Int64(bitPattern: hit.bits)) }
        return hit.kind == .missing ? nil : convert(name, hash, as: Int.self)
    }

    @usableFromInline
    func boolean(_ name: String, _ hash: UInt32) -> Bool? {
        let hit = lookUp(name, hash)
        if hit.kind == .boolean { return hit.bits == 1 }
        return hit.kind == .missing ? nil : convert(name, hash, as: Bool.self)
    }

    @usableFromInline
    func number(_ name: String, _ hash: UInt32) -> Double? {
        let hit = lookUp(name, hash)
        if hit.kind == .number { return Double(bitPattern: hit.bits) }
        return hit.kind == .missing ? nil : convert(name, hash, as: Double.self)
    }

    @usableFromInline
    func string(_ name: String, _ hash: UInt32) -> String? {
        let (kind, string) = lookUpString(name, hash)
        return kind == .string || kind == .missing ? string : convert(name, hash, as: String.self)
    }

    /// The slow path for any type.
    @usableFromInline
    func convert<T>(_ name: String, _ hash: UInt32, as type: T.Type) -> T? {
        try? value(PropertyKey(name, hash), as: type)
    }

    /// Looks up a name in the current state.
    private func lookUp(_ name: String, _ hash: UInt32) -> NameIndex.Hit {
        if let parent = unsafe unownedParent, isPublished(.empty) {
            return unsafe parent._withUnsafeGuaranteedRef { $0.lookUp(name, hash) }
        }
        return published.withRead { lookUp(name, hash, in: $0) }
    }

    /// Looks up a name in the current state, and returns a copy of its value if that is a string.
    private func lookUpString(_ name: String, _ hash: UInt32) -> (NameIndex.Kind, String?) {
        if let parent = unsafe unownedParent, isPublished(.empty) {
            return unsafe parent._withUnsafeGuaranteedRef { $0.lookUpString(name, hash) }
        }
        return published.withRead { state in
            let hit = lookUp(name, hash, in: state)
            return (hit.kind, hit.kind == .string ? state.index.string(hit) : nil)
        }
    }

    @inline(__always)
    private func lookUp(_ name: String, _ hash: UInt32, in state: borrowing MergedState) -> NameIndex.Hit {
        // In all other cases the caller takes the slow path, which updates this store after a change above and records
        // the read.
        isFresh(state) && !record.isOn ? state.lookUp(name, hash) : .unknown
    }

    /// Whether no store above has changed since a state of this store was created.
    ///
    /// Comparing addresses suffices: each state retains the state above it, so no new object can have that address.
    @inline(__always)
    func isFresh(_ own: borrowing MergedState) -> Bool {
        guard let parent = unsafe unownedParent else { return true }
        guard let above = unsafe own.unownedAbove else { return false }
        return unsafe parent._withUnsafeGuaranteedRef { parent in
            unsafe above._withUnsafeGuaranteedRef { parent.isCurrent($0) }
        }
    }

    /// Whether a state is the published state of the store itself.
    @inline(__always)
    private func isPublished(_ state: MergedState) -> Bool { published.withRead { $0 === state } }

    func isCurrent(_ state: MergedState) -> Bool {
        if let parent = unsafe unownedParent, isPublished(.empty) {
            return unsafe parent._withUnsafeGuaranteedRef { $0.isCurrent(state) }
        }
        return isPublished(state) && isFresh(state)
    }
}

extension MergedState {
    /// Looks up a name.
    @inline(__always)
    func lookUp(_ name: String, _ hash: UInt32) -> NameIndex.Hit {
        if let hit = unsafe name.utf8.withContiguousStorageIfAvailable({ unsafe index.find(hash, $0, in: self) }) {
            return hit
        }
        // A bridged `NSString`: native Swift strings are contiguous.
        var copy = name
        return copy.withUTF8 { unsafe index.find(hash, $0, in: self) }
    }
}
