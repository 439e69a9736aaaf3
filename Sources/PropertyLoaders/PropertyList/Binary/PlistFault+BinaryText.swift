extension PlistFault {
    private static let damaged = "Write the file anew: it is damaged or cut off"

    var binaryWords: Words {
        switch problem {
        case .truncated(let count):
            Words(
                "the binary property list of \(count) bytes ends too early",
                expected: "a header, objects and a trailer", Self.damaged)
        case .version(let version):
            Words("the version is \(quoted(version))", expected: "`bplist00`", "Convert it with `plutil -convert xml1`")
        case .trailer(let what), .object(let what): words(what)
        default: Words("this is no binary property list")
        }
    }

    private func words(_ what: Binary) -> Words {
        switch what {
        case .offsetSize(let size): Words("the offsets have \(size) bytes", expected: "1 to 8", Self.damaged)
        case .referenceSize(let size): Words("the references have \(size) bytes", expected: "1 to 8", Self.damaged)
        case .noObjects: Words("the number of objects is out of range", expected: "one at least", Self.damaged)
        case .tableOutside:
            Words(
                "the table of offsets does not fill the place between objects and trailer", Self.damaged)
        case .topOutside: Words("the top object is not in the table", expected: "one of the objects", Self.damaged)
        case .offsetOutside(let object):
            Words(
                "the offset of object \(object) leads out of the objects", expected: "one before the table of offsets",
                Self.damaged)
        case .reference(let object, let count):
            Words("object \(object) is not in the table", expected: "one of \(count) objects", Self.damaged)
        case .pastEnd:
            Words(
                "an object goes past the end of the objects", expected: "it before the table of offsets", Self.damaged)
        case .badCount:
            Words("the count of an object is no integer", expected: "an integer of 1 to 8 bytes", Self.damaged)
        case .unknownType(let marker):
            Words(
                "no object has the marker 0x\(String(marker, radix: 16))", expected: "the marker of a value",
                Self.damaged)
        case .nonASCII: Words("an ASCII string holds another byte", expected: "bytes below 128", Self.damaged)
        case .surrogate: Words("a string is no UTF-16", expected: "surrogates in pairs", Self.damaged)
        default: valueWords(what)
        }
    }

    private func valueWords(_ what: Binary) -> Words {
        switch what {
        case .null: Words("there is a null", expected: "a value", "Leave the key out: property lists have no null")
        case .uid:
            Words(
                "there is a UID", expected: "a plain property list",
                "A keyed archive is no configuration: write the values themselves")
        case .set: Words("there is a set", expected: "an array", "Write it as an array")
        case .keyNotString: Words("a key is no string", expected: "a string", "Give the dictionary string keys")
        case .keyTwice(let key):
            Words(
                "the key \(quoted(key)) stands twice in a dictionary", expected: "keys that differ",
                "Remove one of the two")
        case .cycle: Words("an array or a dictionary holds itself", expected: "values that end", Self.damaged)
        case .dateRange: Words("a date is out of range", expected: "one in the years 0 to 9999")
        case .integerRange:
            Words("an integer is out of range", expected: "one from -2^63 to 2^64 - 1", "Write it as a string")
        default: Words("an object is damaged")
        }
    }
}
