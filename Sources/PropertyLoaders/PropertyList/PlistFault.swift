/// What is wrong with a property list, and where, before it has words.
struct PlistFault: Error {
    let problem: Problem
    /// The byte offset; nil for the document as a whole.
    let offset: Int?
    /// A second place that it is about, such as the tag that was never closed.
    let related: Int?

    init(_ problem: Problem, at offset: Int?, related: Int? = nil) {
        self.problem = problem
        self.offset = offset
        self.related = related
    }

    /// All that can be wrong. `PlistFault+Text.swift` says it in words.
    // Indirect, so that a fault is small on the stack of every function that may throw one.
    indirect enum Problem {
        // The document as a whole.
        case empty, noPropertyList, openStep, utf16, encoding(String), invalidUTF8
        case tooDeep(Int), tooManyValues(Int), tooManyBytes(Int), outOfProportion(Int)
        case keyAgain(String)
        // Markup.
        case unclosedTag, unclosedComment, unclosedInstruction, unclosedDoctype, unclosedCDATA
        case xmlDeclaration, lateXMLDeclaration, doctype, doctypeName(String), doctypeSubset, declaration, malformedTag,
            attribute(String)
        // Elements.
        case noPlistElement(String), noValue, secondValue, textAfterDocument, noElements
        case unknownElement(String), plistInside, keyInArray, keyMissing(String), valueMissing(String)
        case unclosedElement(String), wrongEndTag(found: String, open: String)
        case emptyElement(String), contentInEmpty(String), elementInText(String, in: String), commentInText(String)
        // Text.
        case textBetween(String), control(UInt8), badReference, unknownEntity(String), notACharacter(String)
        case badInteger(String), integerRange(String), badReal(String), realRange(String)
        case badDate(String), noSuchDate(String), base64Character(String), base64Length
        // Binary.
        case truncated(Int), version(String), trailer(Binary), object(Binary)
    }

    /// What is wrong in a binary property list.
    enum Binary {
        case offsetSize(Int), referenceSize(Int), noObjects, tableOutside, topOutside
        case offsetOutside(object: Int), reference(Int, count: Int), pastEnd, unknownType(UInt8), badCount
        case null, uid, set, keyNotString, cycle, keyTwice(String), nonASCII, surrogate, dateRange,
            integerRange
    }
}
