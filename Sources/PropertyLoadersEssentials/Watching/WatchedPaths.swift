import Properties

/// The directories and files that the kernel watches.
final class WatchedPaths {
    /// Nil if the kernel does not report changes, or has failed to.
    private var inotify: Inotify?
    /// The names that matter in each watched directory, by the number of its watch. An empty name is the directory
    /// itself.
    private var names: [CInt: Set<PropertyKey>] = [:]
    /// The watches of files, and of directories in which every name matters.
    private var whole: Set<CInt> = []

    init(_ inotify: Inotify?) { self.inotify = inotify }

    /// The descriptor from which events can be read, or nil if there are none.
    var descriptor: CInt? { inotify?.descriptor }

    /// Watches the paths of files, and stops watching all others.
    ///
    /// - Returns: whether the kernel reports every change.
    func update(_ files: [String]) -> Bool {
        guard let inotify else { return false }
        let old = whole.union(names.keys)
        (names, whole) = ([:], [])
        var numbers: [PropertyKey: CInt] = [:]
        let isComplete = PathSteps.follow(files) { [self] path, name in
            do throws(FileDiagnostic) {
                if let name, let number = numbers[PropertyKey(path)] {
                    names[number]?.insert(PropertyKey(name))
                    return true
                }
                let number = try inotify.add(path, reportsWrites: name == nil)
                numbers[PropertyKey(path)] = number
                names[number, default: [""]].formUnion(name.map { [PropertyKey($0)] } ?? [])
                if name == nil { whole.insert(number) }
                return true
            } catch {
                // If it is no longer there, its directory reports that.
                return error == .missing
            }
        }
        for number in old.subtracting(numbers.values) { inotify.remove(number) }
        return isComplete
    }

    /// Reads all pending events.
    ///
    /// - Returns: nil if none of them matters. Otherwise whether the last one is a write to a file that may still be
    ///   open.
    func takeEvents() -> Bool? {
        var result: Bool?
        do throws(FileDiagnostic) {
            try inotify?.readEvents { watch, name, isWriting in
                if whole.contains(watch) || names[watch]?.contains(PropertyKey(name)) == true { result = isWriting }
            } overflow: {
                result = false
            }
            return result
        } catch {
            // Some events may be lost.
            fail()
            return false
        }
    }

    /// Closes inotify, after which `update` returns false.
    func fail() { (inotify, names, whole) = (nil, [:], []) }
}
