extension JsonParser {
    /// RFC 8259 6: `number = [ minus ] int [ frac ] [ exp ]`.
    ///
    /// With a fraction or an exponent it is a double, else an integer, of whatever size. `-0` is the integer 0.
    mutating func number(_ key: SyntaxKey) throws(SyntaxFault) -> UInt32 {
        let start = cursor.offset
        var number = DecimalNumber()
        if cursor.byte == UInt8(ascii: "-") {
            number.isNegative = true
            cursor.advance()
        }
        try int(&number, start: start)
        let next = cursor.byte
        if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
            try cursor.fraction(&number)
            try cursor.exponent(&number)
            return try double(key, number, start: start)
        }
        if next.isLetter || next == UInt8(ascii: "_") { throw faultInNumber(start: start) }
        return integer(key, number, start: start)
    }

    /// RFC 8259 6: `int = zero / ( digit1-9 *DIGIT )`.
    @inline(__always)
    private mutating func int(_ number: inout DecimalNumber, start: Int) throws(SyntaxFault) {
        let first = cursor.byte
        guard first.isDigit else { throw faultInNumber(start: start) }
        let count = cursor.digits(&number)
        guard first != UInt8(ascii: "0") || count == 1 else { throw SyntaxFault(.leadingZero, at: start) }
    }

    @inline(__always)
    private mutating func double(
        _ key: SyntaxKey, _ number: DecimalNumber, start: Int
    ) throws(SyntaxFault) -> UInt32 {
        let next = cursor.byte
        if next.isLetter || next == UInt8(ascii: "_") || next == UInt8(ascii: ".") { throw faultInNumber(start: start) }
        let value = try cursor.double(number, start: start)
        return document.append(.double, at: start, bits: value.bitPattern, key: key)
    }

    private mutating func integer(_ key: SyntaxKey, _ number: DecimalNumber, start: Int) -> UInt32 {
        switch number.integer {
        case .signed(let value):
            return document.append(.integer, at: start, bits: UInt64(bitPattern: value), key: key)
        case .unsigned(let value):
            return document.append(.unsigned, at: start, bits: value, key: key)
        case nil:
            if let value = cursor.slowUnsigned(start..<cursor.offset) {
                return document.append(.unsigned, at: start, bits: value, key: key)
            }
            return document.append(.bigInteger, at: start, bits: SyntaxText(start..<cursor.offset).bits, key: key)
        }
    }
}
