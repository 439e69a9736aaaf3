/// The names of variables.
enum NameModel {
    /// Returns the path of a variable without its prefix: a dot, or two underscores between two characters, separate
    /// two levels, and letters become lower case, unless one of them is already.
    static func path(ofVariable name: [UInt8]) -> [[UInt8]] {
        let underscore = UInt8(ascii: "_")
        var path: [[UInt8]] = [[]]
        var place = 0
        while place < name.count {
            let isPair = place + 2 < name.count && name[place] == underscore && name[place + 1] == underscore
            if name[place] == UInt8(ascii: ".") {
                path.append([])
                place += 1
            } else if isPair, !path[path.count - 1].isEmpty {
                path.append([])
                place += 2
            } else {
                path[path.count - 1].append(name[place])
                place += 1
            }
        }
        if String(decoding: name, as: UTF8.self).contains(where: \.isLowercase) { return path }
        return path.map { Array(String(decoding: $0, as: UTF8.self).lowercased().utf8) }
    }

    /// Returns the tree of values at different paths. A path that leads through a value is a single key.
    static func tree(_ values: [(path: [[UInt8]], value: ModelValue)]) -> ModelValue {
        subtree(
            values.map { one in
                let isBeside = values.contains { $0.path.count < one.path.count && one.path.starts(with: $0.path) }
                return (isBeside ? [Array(one.path.joined(separator: [UInt8(ascii: ".")]))] : one.path, one.value)
            })
    }

    // The paths differ, and none leads through a value.
    private static func subtree(_ values: [(path: [[UInt8]], value: ModelValue)]) -> ModelValue {
        let groups = Dictionary(grouping: values) { $0.path[0] }
        return .table(
            groups.mapValues { group in
                group[0].path.count == 1
                    ? group[0].value : subtree(group.map { (Array($0.path.dropFirst()), $0.value) })
            })
    }

    /// Returns the values without those whose names occur again later.
    static func last(_ values: [(path: [[UInt8]], value: ModelValue)]) -> [(path: [[UInt8]], value: ModelValue)] {
        values.enumerated().filter { index, one in
            !values[(index + 1)...].contains { $0.path == one.path }
        }.map(\.element)
    }
}
