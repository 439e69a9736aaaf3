// `sorted` of the standard library is compiled anew for each element type and each order, as about 5 KB of machine code.
// These methods sort the positions of the elements instead, so that the program has one such copy for all types.

extension Sequence {
    /// Returns the elements, sorted by the bytes of their names.
    ///
    /// - Parameter name: returns the name of an element. It is called once for each element.
    /// - Returns: the sorted elements.
    package func sorted(byName name: (Element) -> String) -> [Element] {
        let elements = Array(self)
        let names = elements.map(name)
        return sortedPositions(elements.count) { names[$0].precedes(names[$1]) }.map { elements[$0] }
    }

    /// Returns the elements, sorted by something other than a name.
    ///
    /// - Parameter areInOrder: returns whether the first element comes before the second.
    /// - Returns: the sorted elements.
    package func ordered(by areInOrder: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return sortedPositions(elements.count) { areInOrder(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

/// Returns the numbers from 0 to `count - 1` in an order.
@inline(never)
private func sortedPositions(_ count: Int, by areInOrder: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: areInOrder)
}
