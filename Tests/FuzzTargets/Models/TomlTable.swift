/// A table of a TOML document while its lines are read, with the rules of TOML 1.1 for later definitions.
final class TomlTable {
    /// How a table was defined.
    enum Definition {
        /// Only as a part of the path of a header. It may still be defined.
        case path
        /// By a header, or in braces.
        case header
        /// By a dotted key.
        case dotted
    }

    enum Member {
        /// A value, also an array in brackets or a table in braces. Nothing can be added to it.
        case value(ModelValue)
        case table(TomlTable)
        /// An array of tables, which is never empty.
        case tables([TomlTable])
    }

    private(set) var definition: Definition
    var members: [[UInt8]: Member] = [:]

    init(_ definition: Definition) { self.definition = definition }

    var value: ModelValue {
        .table(
            members.mapValues { member in
                switch member {
                case .value(let value): value
                case .table(let table): table.value
                case .tables(let tables): .array(tables.map(\.value))
                }
            })
    }

    /// Returns the table that a part of a dotted key means.
    func dotted(_ part: [UInt8]) throws -> TomlTable {
        switch members[part] {
        case nil: return add(.dotted, part)
        case .table(let table) where table.definition != .header:
            table.definition = .dotted
            return table
        default: throw Invalid()
        }
    }

    /// Returns the table that a part of a header before the last one means.
    func above(_ part: [UInt8]) throws -> TomlTable {
        switch members[part] {
        case nil: return add(.path, part)
        case .table(let table): return table
        case .tables(let tables): return tables[tables.count - 1]
        case .value: throw Invalid()
        }
    }

    /// Returns the table that `[…]` defines.
    func header(_ part: [UInt8]) throws -> TomlTable {
        switch members[part] {
        case nil: return add(.header, part)
        case .table(let table) where table.definition == .path:
            table.definition = .header
            return table
        default: throw Invalid()
        }
    }

    /// Returns the table that `[[…]]` appends.
    func element(_ part: [UInt8]) throws -> TomlTable {
        let table = TomlTable(.header)
        switch members[part] {
        case nil: members[part] = .tables([table])
        case .tables(let tables): members[part] = .tables(tables + [table])
        default: throw Invalid()
        }
        return table
    }

    private func add(_ definition: Definition, _ part: [UInt8]) -> TomlTable {
        let table = TomlTable(definition)
        members[part] = .table(table)
        return table
    }
}
