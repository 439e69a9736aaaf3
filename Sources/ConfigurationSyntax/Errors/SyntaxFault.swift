/// The formats that are parsed here.
enum SyntaxFormat {
    case json, toml
}

/// What is wrong with a text, and where, before it has words.
struct SyntaxFault: Error {
    let problem: Problem
    /// Where it is in the source.
    let offset: UInt32
    /// A second place that it is about, such as the bracket that was never closed.
    let related: UInt32?

    init(_ problem: Problem, at offset: Int, related: Int? = nil) {
        self.problem = problem
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.related = related.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// All that can be wrong. `FaultText` says it in words.
    enum Problem: UInt8, CaseIterable {
        // The text as a whole.
        case tooDeep, invalidUTF8, utf16, emptyDocument, mergeConflict, textAfterDocument, keyOutsideObject
        case looksLikeJSON, looksLikeTOML, looksLikeYAML
        // Characters.
        case unexpected, unexpectedAfterValue, loneSlash, controlCharacter, bareCarriageReturn, nonASCIISpace,
            smartQuote, controlInString, byteOrderMark
        // Strings.
        case unclosedString, unclosedMultilineString, singleQuotedString, unknownEscape, badHexEscape
        case loneSurrogate, noScalar, endlessQuotes, lineEndEscape
        // Brackets, commas, colons.
        case unclosedArray, unclosedTable, wrongBracketForArray, wrongBracketForTable, extraBracket
        case extraComma, trailingComma, commaAfterPair, colonInArray, missingComma, semicolon
        case missingColon, equalsForColon, missingEquals, colonForEquals
        // Comments.
        case unclosedComment, commentsOff, hashComment, slashComment, semicolonComment
        // Keys.
        case missingKey, unquotedKey, keyNotString, badKeyCharacter, spaceInKey, wordBeforeKey, missingKeyPart,
            multilineKey
        case unclosedHeader, unclosedArrayHeader, emptyHeader, textAfterValue
        // Values.
        case missingValue, unquotedText, misspeltTrue, misspeltFalse, misspeltNull, misspeltFloat
        // Numbers.
        case leadingZero, plusSign, leadingDot, missingFraction, missingExponent, missingDigits, strayUnderscore
        case noUnderscore, noRadix, upperCasePrefix, signedPrefix, badRadixDigit, badNumber, integerTooLarge,
            floatTooLarge
        // Dates and times.
        case badDate, badTime, badOffset, noSuchDate, noSuchTime, noSuchOffset
        // Tables.
        case duplicateKey, tableTwice, tableIsInline, tableIsDefined, tableIsDotted, notATable, arrayIsStatic
        case arrayIsTable, tableIsArray, arrayInDottedKey
    }
}
