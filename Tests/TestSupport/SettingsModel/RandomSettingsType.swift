package import Properties

/// A settings type that is put together at random, and what the model knows of it.
package struct RandomSettingsType: Sendable {
    package let type: any ModelledSettings.Type
    /// The table of the settings, with the defaults of the type.
    package var table: ModelTable { type.table }

    /// Creates a random type, with tables in it to a depth.
    package init(_ random: inout SplitMix, depth: Int = 3) { type = Self.type(&random, depth) }

    /// Declares the type in a store.
    package func declare(
        in store: PropertyStore, at name: String, environment: [String: String?] = [:], formerly: String? = nil
    ) {
        func declare<T: ModelledSettings>(_ type: T.Type) {
            store.declare(type, at: name, environment: environment, formerly: formerly)
        }
        let type = type
        declare(type)
    }

    private static func type(_ random: inout SplitMix, _ depth: Int) -> any ModelledSettings.Type {
        if depth == 0 || Int.random(in: 0..<5, using: &random) == 0 {
            let leaves: [any ModelledSettings.Type] = [
                Leaf.self, Strict.self, Lists.self, Tree.self, Placed.self, Snake.self, Renamed.self, Ruled.self,
            ]
            return leaves[Int.random(in: 0..<leaves.count, using: &random)]
        }
        let inner = type(&random, depth - 1)
        let form = Int.random(in: 0..<6, using: &random)
        return form == 5 ? pair(inner, type(&random, depth - 1)) : outer(inner, form)
    }

    private static func outer<T: ModelledSettings>(_ inner: T.Type, _ form: Int) -> any ModelledSettings.Type {
        switch form {
        case 0: Plain<T>.self
        case 1: Maybe<T>.self
        case 2: List<T>.self
        case 3: Named<T>.self
        default: Deep<T>.self
        }
    }

    // A call opens only one of two types.
    private static func pair<A: ModelledSettings>(
        _ one: A.Type, _ other: any ModelledSettings.Type
    ) -> any ModelledSettings.Type {
        func both<B: ModelledSettings>(_ other: B.Type) -> any ModelledSettings.Type { Pair<A, B>.self }
        return both(other)
    }
}

/// A settings type that has a model.
package protocol ModelledSettings: Settings, ShownValue {
    static var table: ModelTable { get }
}

extension ModelledSettings {
    static var form: ModelForm { .table { table } }

    /// Returns the text of a table from the texts of its properties.
    static func shown(_ properties: KeyValuePairs<String, any ShownValue>) -> String {
        "{\(properties.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", "))}"
    }
}

// MARK: - Types without other types in them

private struct Leaf: ModelledSettings {
    @Setting("The name") var name = "leaf"
    @Setting(in: 1...9) var level = 3
    @Setting(isSecret: true) var key: String?

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("name", .value(.text), "'leaf'"), .init("level", .value(.level), "3"),
            .init("key", .optional(.value(.text)), "nil", isSecret: true))
    }
    var shown: String { Self.shown(["name": name, "level": level, "key": key]) }
}

private struct Strict: ModelledSettings {
    @Setting("Signs", isSecret: true) var token: String
    @Setting("Where clients connect", in: 1...9, needsRestart: true) var port = 8
    @Setting var mode: RandomMode?

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("token", .value(.text), isSecret: true), .init("port", .value(.level), "8", restart: true),
            .init("mode", .optional(.value(.mode)), "nil"))
    }
    var shown: String { Self.shown(["token": token, "port": port, "mode": mode]) }
}

private struct Lists: ModelledSettings {
    @Setting var numbers = [1]
    @Setting("By name") var counts: [String: Int] = [:]
    @Setting var flag = false
    @Setting(needsRestart: true) var wait = Duration.seconds(1)
    @Setting(in: 1...9) var limit: Int?

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("numbers", .value(.numbers), "[1]"), .init("counts", .value(.counts), "[]"),
            .init("flag", .value(.flag), "false"),
            .init("wait", .value(.wait), Duration.seconds(1).shown, restart: true),
            .init("limit", .optional(.value(.level)), "nil"))
    }
    var shown: String {
        Self.shown(["numbers": numbers, "counts": counts, "flag": flag, "wait": wait, "limit": limit])
    }
}

/// Contains itself.
private struct Tree: ModelledSettings {
    @Setting var name = "tree"
    @Setting(isSecret: true) var key: String?
    var children: [Tree] = []
    @Setting("By name") var named: [String: Tree] = [:]

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("name", .value(.text), "'tree'"),
            .init("key", .optional(.value(.text)), "nil", isSecret: true),
            .init("children", .array(form), "[]"), .init("named", .dictionary(form), "[]"))
    }
    var shown: String { Self.shown(["name": name, "key": key, "children": children, "named": named]) }
}

/// Has tables with defaults of their place.
private struct Placed: ModelledSettings {
    var leaf = Leaf {
        $0.name = "placed"
        $0.level = 7
    }
    var strict = Strict { $0.token = "default" }
    var outer = Plain<Leaf> { $0.inner.level = 5 }

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("leaf", .table { Leaf.table.with(["name": "'placed'", "level": "7"]) }),
            .init("strict", .table { Strict.table.with(["token": "'default'"]) }),
            .init("outer", .table { Plain<Leaf>.table.with(["inner.level": "5"]) }))
    }
    var shown: String { Self.shown(["leaf": leaf, "strict": strict, "outer": outer]) }
}

/// Has keys that are not the names of the properties.
private struct Snake: ModelledSettings {
    static var naming: SettingNaming { .snakeCase }
    @Setting(in: 1...9) var maxSize = 4
    @Setting(in: 1...9, key: "load-factor") var load = 2
    var innerTable = Leaf()

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("max_size", .value(.level), "4"), .init("load-factor", .value(.level), "2"),
            .init("inner_table", Leaf.form))
    }
    var shown: String { Self.shown(["max_size": maxSize, "load-factor": load, "inner_table": innerTable]) }
}

/// Has settings that had other names.
private struct Renamed: ModelledSettings {
    @Setting("The name", formerly: "old_name") var name = "new"
    @Setting(formerly: "old.key", isSecret: true) var key: String?
    @Setting(in: 1...9, formerly: "old.deep.level", needsRestart: true) var level = 3
    @Setting(formerly: "leaves") var all: [Leaf] = []

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("name", .value(.text), "'new'", formerly: "old_name"),
            .init("key", .optional(.value(.text)), "nil", isSecret: true, formerly: "old.key"),
            .init("level", .value(.level), "3", restart: true, formerly: "old.deep.level"),
            .init("all", .array(Leaf.form), "[]", formerly: "leaves"))
    }
    var shown: String { Self.shown(["name": name, "key": key, "level": level, "all": all]) }
}

/// Has a rule of two settings, of which one was renamed and needs a restart.
private struct Ruled: ModelledSettings {
    @Setting(in: 1...9, formerly: "least", needsRestart: true) var low = 2
    @Setting(in: 1...9) var high = 7
    @Setting var name: String?

    static let rules: [SettingsRule<Self>] = [
        SettingsRule(\.$low, \.$high, expected: "low is at most high") { $0 <= $1 }
    ]
    static var table: ModelTable {
        ModelTable(
            Self.self, order: .init("low", "high"),
            .init("low", .value(.level), "2", restart: true, formerly: "least"),
            .init("high", .value(.level), "7"), .init("name", .optional(.value(.text)), "nil"))
    }
    var shown: String { Self.shown(["low": low, "high": high, "name": name]) }
}

// MARK: - Types with another type in them

private struct Plain<T: ModelledSettings>: ModelledSettings {
    var inner = T()
    @Setting(in: 1...9) var own = 1

    static var table: ModelTable { ModelTable(Self.self, .init("inner", T.form), .init("own", .value(.level), "1")) }
    var shown: String { Self.shown(["inner": inner, "own": own]) }
}

private struct Maybe<T: ModelledSettings>: ModelledSettings {
    var bare: T?
    @Setting("Described") var described: T?

    static var table: ModelTable {
        ModelTable(Self.self, .init("bare", .optional(T.form), "nil"), .init("described", .optional(T.form), "nil"))
    }
    var shown: String { Self.shown(["bare": bare, "described": described]) }
}

private struct List<T: ModelledSettings>: ModelledSettings {
    var bare: [T] = []
    @Setting("Described") var described: [T] = []
    var maybe: [T]?

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("bare", .array(T.form), "[]"), .init("described", .array(T.form), "[]"),
            .init("maybe", .optional(.array(T.form)), "nil"))
    }
    var shown: String { Self.shown(["bare": bare, "described": described, "maybe": maybe]) }
}

private struct Named<T: ModelledSettings>: ModelledSettings {
    var bare: [String: T] = [:]
    @Setting("Described") var described: [String: T]?

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("bare", .dictionary(T.form), "[]"),
            .init("described", .optional(.dictionary(T.form)), "nil"))
    }
    var shown: String { Self.shown(["bare": bare, "described": described]) }
}

private struct Deep<T: ModelledSettings>: ModelledSettings {
    var tables: [String: [T]?]?
    var lists: [[T]] = []
    @Setting("Described") var maps: [String: [String: T]] = [:]

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("tables", .optional(.dictionary(.optional(.array(T.form)))), "nil"),
            .init("lists", .array(.array(T.form)), "[]"), .init("maps", .dictionary(.dictionary(T.form)), "[]"))
    }
    var shown: String { Self.shown(["tables": tables, "lists": lists, "maps": maps]) }
}

private struct Pair<A: ModelledSettings, B: ModelledSettings>: ModelledSettings {
    var one = A()
    var other: B?
    @Setting("All") var all: [B] = []

    static var table: ModelTable {
        ModelTable(
            Self.self, .init("one", A.form), .init("other", .optional(B.form), "nil"),
            .init("all", .array(B.form), "[]"))
    }
    var shown: String { Self.shown(["one": one, "other": other, "all": all]) }
}
