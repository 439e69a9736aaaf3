import TextBasics

// What the escapes of both formats share.
extension Cursor {
    /// The number that so many hexadecimal digits say from a place on, or nil where one of them is none.
    func hexNumber(at place: Int, digits: Int) -> UInt32? {
        var number: UInt32 = 0
        for distance in 0..<digits {
            guard let digit = byte(at: place + distance).hexDigit else { return nil }
            number = number << 4 | digit
        }
        return number
    }

    /// Puts a scalar behind the unescaped text, as UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() { append(byte) }
    }
}
