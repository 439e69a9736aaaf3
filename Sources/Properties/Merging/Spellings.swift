/// The known names by their letters. Relaxed names are looked up among them.
struct Spellings: Sendable {
    /// A name, and its place if a source has it.
    struct Spelling: Sendable {
        let name: String
        let origin: PropertyOrigin?
        /// Whether the name belongs only to a table in a source, or to a declared table.
        let isTable: Bool
    }

    private var names: [PropertyKey: Spelling] = [:]
    private var byLetters: [PropertyKey: BoundedList<PropertyKey>] = [:]
    /// The former names of settings, by their letters.
    private var former: [PropertyKey: [FormerPath]] = [:]

    /// The maximum number of names with the same letters that are compared. More of them are ambiguous.
    private static let limit = 50

    /// Whether a name was added. If `isValue` is true, a name that only tables have does not count.
    func has(_ name: String, isValue: Bool) -> Bool {
        names[PropertyKey(name)].map { !(isValue && $0.isTable) } ?? false
    }

    /// Returns the names with the given letters, and the number of the names that are not compared.
    func similar(to letters: String) -> (names: [Spelling], rest: Int) {
        guard let keys = byLetters[PropertyKey(letters)] else { return ([], 0) }
        return (keys.elements.compactMap { names[$0] }, keys.rest)
    }

    /// Returns the former names with the given letters.
    func former(_ letters: String) -> [FormerPath] { former[PropertyKey(letters)] ?? [] }

    /// Adds the former name of a setting, which is looked up if no other name fits.
    mutating func add(former name: FormerPath) {
        former[PropertyKey(RelaxedName.letters(of: name.oldName)), default: []].append(name)
    }

    /// Adds a name. A table of one source may be a value in another source, or declared.
    mutating func add(_ name: String, _ letters: String? = nil, _ origin: PropertyOrigin? = nil, isTable: Bool) {
        let key = PropertyKey(name)
        guard let known = names[key] else {
            names[key] = Spelling(name: name, origin: origin, isTable: isTable)
            let letters = letters ?? RelaxedName.letters(of: name)
            byLetters[PropertyKey(letters), default: BoundedList(limit: Self.limit)].append(key)
            return
        }
        if known.isTable, !isTable { names[key] = Spelling(name: name, origin: known.origin, isTable: false) }
    }

    /// Adds the names of the settings inside a value, without the settings in arrays and dictionaries.
    mutating func add(_ form: Form, below name: String?) {
        for field in form.table?.fields ?? [] {
            let inner = name.joined(path: ".\(field.key)")
            add(inner, isTable: field.rule == nil)
            add(field.form, below: inner)
        }
    }
}
