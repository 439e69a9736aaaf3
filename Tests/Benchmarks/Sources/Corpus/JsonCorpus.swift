extension Document {
    /// The JSON documents that are measured. They contain comments.
    public static func json() -> [Document] {
        [
            Document("service 1 KB", jsonService(bytes: 1_000)),
            Document("records 2 MB", jsonRecords(bytes: 2_000_000)),
            Document("numbers 4 MB", jsonNumbers(bytes: 4_000_000)),
            Document("strings 4 MB", jsonStrings(bytes: 4_000_000)),
        ]
    }

    static func note(_ dice: inout Dice) -> String { "// \(dice.sentence(4))" }

    static func jsonService(bytes: Int) -> String {
        var dice = Dice(bytes)
        return grown(to: bytes, from: "{\n  \"title\": \"pricing\", \(note(&dice))") { number in
            """

              "\(dice.word())_\(number)": {
                "host": "\(dice.word()).example.com", \(note(&dice))
                "port": \(8000 + dice.roll(1000)),
                "enabled": \(dice.roll(2) == 0),
                "timeout": \(dice.roll(60)).\(dice.roll(10)),
                "tags": ["\(dice.word())", "\(dice.word())", "\(dice.word())"],
                "limits": { "connections": \(dice.roll(500)), "rate": \(dice.roll(90)).5 }
              },
            """
        } + "\n  \"last\": null\n}\n"
    }

    static func jsonRecords(bytes: Int) -> String {
        var dice = Dice(bytes)
        return grown(to: bytes, from: "[") { number in
            """

              {
                "id": \(number), \(note(&dice))
                "name": "\(dice.word()) \(dice.word())",
                "email": "\(dice.word())@example.com",
                "score": \(dice.roll(100)).\(dice.roll(10000)),
                "active": true,
                "address": { "street": "\(dice.sentence(3))", "zip": "\(dice.roll(99999))", "geo": [\(dice.roll(90)).\(dice.roll(99999)), -\(dice.roll(90)).\(dice.roll(99999))] },
                "roles": ["\(dice.word())", "\(dice.word())"]
              },
            """
        } + "\n  {}\n]\n"
    }

    static func jsonNumbers(bytes: Int) -> String {
        var dice = Dice(bytes)
        return grown(to: bytes, from: "[") { number in
            let values = (0..<8).map { _ in "\(dice.roll(180)).\(dice.roll(1_000_000_000))\(dice.roll(100_000))" }
            return "\n  [\(number), -\(dice.roll(1_000_000)), \(values.joined(separator: ", "))], \(note(&dice))"
        } + "\n  []\n]\n"
    }

    static func jsonStrings(bytes: Int) -> String {
        var dice = Dice(bytes)
        return grown(to: bytes, from: "[") { number in
            """

              { \(note(&dice))
                "short": "\(dice.word())", "plain": "\(dice.sentence(16))",
                "escaped": "\(dice.sentence(5))\\t\(dice.sentence(5))\\n\\u00e9",
                "german": "\(dice.sentence(4)) für größere Übungen, \(dice.sentence(4))"
              },
            """
        } + "\n  {}\n]\n"
    }
}
