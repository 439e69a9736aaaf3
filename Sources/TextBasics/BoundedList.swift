/// How much of a list a message shows.
package enum ListLimit {
    /// Names in one sentence.
    package static let names = 5
    /// Errors, a line each.
    package static let lines = 20
    /// Warnings of one kind about one source, which are kept as long as the source is.
    package static let warnings = 100
}

/// The first elements of a list that input can make as long as it likes, and how many more there were.
///
/// Messages and warnings use it: what is shown of a list of 20,000 names costs no more than what is shown of ten.
package struct BoundedList<Element> {
    /// The first ones.
    package private(set) var elements: [Element] = []
    /// How many were left out.
    package private(set) var rest = 0
    private let limit: Int

    /// Makes an empty list.
    ///
    /// - Parameter limit: how many elements are kept.
    package init(limit: Int) { self.limit = limit }

    /// The same with other elements.
    package func map<Other>(_ transform: (Element) -> Other) -> BoundedList<Other> {
        var list = BoundedList<Other>(limit: limit)
        list.elements = elements.map(transform)
        list.rest = rest
        return list
    }

    /// Sorts what was kept.
    package mutating func sort(by areInOrder: (Element, Element) -> Bool) { elements.sort(by: areInOrder) }

    /// Makes a list of the first elements of a collection.
    package init(_ all: some Collection<Element>, limit: Int) {
        elements = Array(all.prefix(limit))
        rest = all.count - elements.count
        self.limit = limit
    }

    /// Whether another element would only be counted.
    package var isFull: Bool { elements.count >= limit }

    /// Adds an element, or counts it where there are enough: then it is not even made.
    package mutating func append(_ element: @autoclosure () -> Element) {
        if isFull { skip() } else { elements.append(element()) }
    }

    /// Counts an element that is not kept.
    package mutating func skip() { rest += 1 }
}

extension BoundedList: Sendable where Element: Sendable {}

extension BoundedList<String> {
    /// `a, b and c`, or `a, b and 19,992 more`.
    package var text: String {
        let last = rest == 0 ? elements.last : "\(rest.grouped) more"
        let others = rest == 0 ? elements.dropLast() : elements[...]
        guard let last, !others.isEmpty else { return last ?? "" }
        return "\(others.joined(separator: ", ")) and \(last)"
    }
}

extension Int {
    /// The number with a comma between each three digits: `19,992`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        let text = digits.enumerated().map { $0 > 0 && (digits.count - $0) % 3 == 0 ? ",\($1)" : "\($1)" }.joined()
        return self < 0 ? "-\(text)" : text
    }
}
