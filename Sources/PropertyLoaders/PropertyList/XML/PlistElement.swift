/// The elements that property lists have.
enum PlistElement: String, CaseIterable {
    case plist, dict, array, key, string, integer, real, date, data, `true`, `false`

    /// The element of a name, by its bytes: a name in a hostile file may be long and hard to compare as text.
    init?(named name: String) {
        guard let element = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
            return nil
        }
        self = element
    }
}
