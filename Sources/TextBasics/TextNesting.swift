/// Follows quotation marks and brackets through a text that people wrote, which may be neither JSON nor complete.
///
/// An apostrophe or a quotation mark after a letter or a digit opens nothing: `don't`, `5" disk`.
package struct TextNesting {
    /// The marks that can end the quotation, or an empty text outside of quotations.
    private var closers = ""
    /// The number of brackets that are open.
    private var depth = 0
    private var isEscaped = false

    package init() {}

    /// Whether the last scalar was outside of all quotations and brackets, or closed the last of them.
    package var isOutside: Bool { depth == 0 && closers.isEmpty }

    /// Whether a quotation is open.
    package var isInQuotation: Bool { !closers.isEmpty }

    /// Takes the next scalar of the text, with the scalars before and after it.
    package mutating func take(_ scalar: Unicode.Scalar, after before: Unicode.Scalar?, before after: Unicode.Scalar?) {
        if isEscaped {
            isEscaped = false
        } else if closers.isEmpty {
            if let closers = scalar.closingMarks, before?.isWordPart != true {
                self.closers = closers
            } else if scalar.isOpeningBracket {
                depth += 1
            } else if scalar.properties.generalCategory == .closePunctuation {
                depth -= 1
            }
        } else if scalar == "\\", closers == "\"" {
            isEscaped = true
        } else if closers.unicodeScalars.contains(scalar) {
            let isApostrophe = (scalar == "'" || scalar == "\u{2019}") && after?.isWordPart == true
            if !isApostrophe { closers = "" }
        }
    }
}

extension Unicode.Scalar {
    /// The marks that can close a quotation that this mark opens, or nil if it is not a quotation mark.
    package var closingMarks: String? {
        switch self {
        case "\"", "'", "`", "\u{201D}", "\u{2019}", "\u{B4}", "\u{FF02}", "\u{FF07}": String(self)
        case "\u{201C}", "\u{201F}": "\u{201D}"
        case "\u{2018}", "\u{201B}": "\u{2019}"
        case "\u{201E}": "\u{201C}\u{201D}"
        case "\u{201A}": "\u{2018}\u{2019}"
        case "\u{AB}": "\u{BB}"
        case "\u{BB}": "\u{AB}\u{BB}"
        case "\u{2039}": "\u{203A}"
        case "\u{203A}": "\u{2039}\u{203A}"
        case "\u{300C}": "\u{300D}"
        case "\u{300E}": "\u{300F}"
        default: nil
        }
    }

    /// Whether it is a quotation mark, opening or closing.
    package var isQuotationMark: Bool { closingMarks != nil || !isASCII && properties.isQuotationMark }

    /// Whether it is a bracket or a brace that opens.
    package var isOpeningBracket: Bool {
        properties.generalCategory == .openPunctuation && closingMarks == nil
    }

    fileprivate var isWordPart: Bool {
        properties.isAlphabetic || properties.generalCategory == .decimalNumber
    }
}
