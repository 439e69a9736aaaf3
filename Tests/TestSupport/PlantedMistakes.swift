/// A part of a document that consists of whole lines, and invalid versions of it.
///
/// A `$` stands for a name that occurs nowhere else in the document. Each invalid version has as many lines as the
/// valid one, so that it does not move the others, and has exactly one mistake.
package struct Part: Sendable {
    package let valid: String
    package let mistakes: [String]

    package init(_ valid: String, _ mistakes: [String]) {
        self.valid = valid
        self.mistakes = mistakes
    }

    /// The part with a name in place of each `$`.
    package func named(_ name: String) -> Part {
        let named = { (text: String) in
            text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: name)
        }
        return Part(named(valid), mistakes.map(named))
    }
}

/// Random documents with two to five planted mistakes.
package enum PlantedMistakes {
    /// Returns the documents in which the mistakes are not reported as they are reported one by one.
    ///
    /// - Parameters:
    ///   - count: the number of documents.
    ///   - parts: the parts of which each document has 6 to 13.
    ///   - seed: the seed of the generator.
    ///   - composed: composes a document from its parts.
    ///   - errors: returns the messages of all errors in a document.
    /// - Returns: for each inexact document, its text and the messages that differ.
    package static func inexactDocuments(
        of count: Int, from parts: [Part], seed: UInt64, composed: ([String]) -> String, errors: (String) -> [String]
    ) -> [String] {
        var generator = SplitMix(state: seed)
        return (0..<count).compactMap { _ in
            let document = Document(parts, &generator)
            let text = composed(document.lines { _ in true })
            let single = document.mistaken.map { number in composed(document.lines { $0 == number }) }
            let expected = Set(single.flatMap { errors($0).prefix(1) })
            let found = errors(text)
            if found.count == expected.count, Set(found) == expected { return nil }
            let missing = expected.subtracting(found).sorted(), extra = Set(found).subtracting(expected).sorted()
            return "\(text)\nmissing: \(missing)\nunexpected: \(extra)"
        }
    }

    private struct Document {
        let parts: [(valid: String, mistake: String)]
        let mistaken: [Int]

        init(_ forms: [Part], _ generator: inout SplitMix) {
            parts = (0..<Int.random(in: 6...13, using: &generator)).map { number in
                let part = forms[Int.random(in: 0..<forms.count, using: &generator)].named("n\(number)")
                return (part.valid, part.mistakes[Int.random(in: 0..<part.mistakes.count, using: &generator)])
            }
            let count = Int.random(in: 2...5, using: &generator)
            mistaken = parts.indices.shuffled(using: &generator).prefix(count).sorted()
        }

        /// The parts, with those mistakes whose number is included.
        func lines(_ isIncluded: (Int) -> Bool) -> [String] {
            parts.enumerated().map { mistaken.contains($0) && isIncluded($0) ? $1.mistake : $1.valid }
        }
    }
}
