import ConfigurationSyntax
import TextBasics

extension PropertyNode {
    /// The digits of a number with a fraction or an exponent, as written in the text of its source. It is nil for any
    /// other value, and if the source is not text or has no such number at the place of the value.
    package var writtenNumber: String? {
        guard case .double(let double) = value, let offset = origin.offset, case .text(let text) = source.places,
            let number = text.number(at: offset), Double(number) == double
        else { return nil }
        return number
    }

    /// The written number if it has more digits than its `Double` keeps, and JSON can express it; otherwise nil.
    var longNumber: String? {
        guard case .double(let double) = value, let number = writtenNumber,
            DecimalDigits(number) != DecimalDigits(double.description),
            (try? JsonDocument(bytes: number.utf8, name: "", allowsComments: false)) != nil
        else { return nil }
        return number
    }
}
