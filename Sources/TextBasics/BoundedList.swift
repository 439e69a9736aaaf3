/// The maximum numbers of elements in messages and in lists of warnings.
package enum ListLimit {
    /// The maximum number of names in a sentence of a message.
    package static let names = 5
    /// The maximum number of errors that are reported for one text.
    package static let errors = 20
    /// The maximum number of errors in a message that has one line for each error.
    package static let lines = 20
    /// The maximum number of warnings of one kind about one source. They stay in memory as long as the source.
    package static let warnings = 100
}

/// The first elements of a list, and the number of elements that were left out.
///
/// The length of the list depends on the input. The limit makes a message about 20,000 names as cheap as a message
/// about ten.
package struct BoundedList<Element> {
    /// The first elements, at most as many as the limit.
    package private(set) var elements: [Element] = []
    /// The number of elements that were left out.
    package private(set) var rest = 0
    private let limit: Int

    /// Creates an empty list.
    ///
    /// - Parameter limit: the maximum number of elements that the list keeps.
    package init(limit: Int) { self.limit = limit }

    /// Returns a list of the transformed elements, with the same number of elements left out.
    package func map<Other>(_ transform: (Element) -> Other) -> BoundedList<Other> {
        var list = BoundedList<Other>(limit: limit)
        list.elements = elements.map(transform)
        list.rest = rest
        return list
    }

    /// Creates a list that keeps the first elements of a collection.
    package init(_ all: some Collection<Element>, limit: Int) {
        elements = Array(all.prefix(limit))
        rest = all.count - elements.count
        self.limit = limit
    }

    /// Whether the limit is reached. Further elements are then counted but not kept.
    package var isFull: Bool { elements.count >= limit }

    /// Appends an element. A full list counts it without keeping it, and does not evaluate the expression.
    package mutating func append(_ element: @autoclosure () -> Element) {
        if isFull { skip() } else { elements.append(element()) }
    }

    /// Counts elements without keeping them.
    package mutating func skip(_ count: Int = 1) { rest += count }
}

extension BoundedList: Sendable where Element: Sendable {}

extension BoundedList<String> {
    /// The elements as text: `a, b and c`, or `a, b and 19,992 more` if elements were left out.
    package var text: String {
        let last = rest == 0 ? elements.last : "\(rest.grouped) more"
        let others = rest == 0 ? elements.dropLast() : elements[...]
        guard let last, !others.isEmpty else { return last ?? "" }
        return "\(others.joined(separator: ", ")) and \(last)"
    }
}

extension Int {
    /// The number with a comma after every three digits: `19,992`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        let text = digits.enumerated().map { $0 > 0 && (digits.count - $0) % 3 == 0 ? ",\($1)" : "\($1)" }.joined()
        return self < 0 ? "-\(text)" : text
    }
}
