import TestSupport

/// The parts of TOML documents.
let tomlParts: [Part] = [
    Part(
        "$ = 8080",
        [
            "$ =", "$ 8080", "$: 8080", "$ = 80a", "$ = 8080,", "$ = 08080", "my $ = 8080", "$ = 8080 9090",
            "$ = 1__0", "$ = 0xZZ", "$ = .5", "$ = 5.", "$ = 8080;", "$ = 8080 // x", "$! = 8080", "= 8080",
            "$ == 8080", "$ =\u{A0}8080", "$ = 8080]", "$. = 8080", "$ = 9223372036854775808", "$ = 1e",
            "$ =\u{1} 8080",
            "export $ = 8080", "$ = 12:99", "$ = 50%", "$", "} $ = 1",
        ]),
    Part(
        "$ = \"db.internal\"",
        [
            "$ = \"db.internal", "$ = db.internal", "$ = 'db.internal", "$ = “db.internal”", "$ = \"C:\\dir\\data\"",
            "$ = \"db.internal\"\"", "$ = db.internal\"", "$ = None", "$ = \"a\u{1}b\"", "$ = \"\\u12\"",
            "$ = \"db\" # a \u{7} bell", "\"$ = \"db.internal\"", "$ = `db`",
        ]),
    Part("$ = true", ["$ = True", "$ = yes", "$ = fals", "$ = on # enabled"]),
    Part(
        "$ = [\"a\", \"b\", \"c\"]",
        [
            "$ = [\"a\" \"b\", \"c\"]", "$ = [\"a\", \"b, \"c\"]", "$ = [\"a\",, \"c\"]", "$ = [\"a\", \"b\"",
            "$ = [\"a\", \"b\"}", "$ = [\"a\"; \"b\"]", "$ = [\"a\": \"b\"]", "$ = [a, \"b\"]", "$ = \"a\", \"b\"]",
            "$ = [1, 2, 3x]", "$ = [\"a\", \"b\"]]", "$ = [\"a\", \"b]", "$ [\"a\", \"b\"]", "$ = [, \"a\"]",
        ]),
    Part(
        "$ = [\n  \"a\",\n  \"b\",\n  \"c\",\n]",
        [
            "$ = [\n  \"a\"\n  \"b\",\n  \"c\",\n]", "$ = [\n  \"a,\n  \"b\",\n  \"c\",\n]",
            "$ = [\n  \"a\",\n  b,\n  \"c\",\n]", "$ = [\n  \"a\",\n  \"b\",,\n  \"c\",\n]",
            "$ = [\n  \"a\",\n  \"b\",\n  \"c\",\n", "$ = [\n  \"a\",\n  \"b\",\n  \"c\"\n",
            "$ = [\n  \"a\",\n  \"b\",\n  \"c\",\n}", "$ [\n  \"a\",\n  \"b\",\n  \"c\",\n]",
            "$: [\n  \"a\",\n  \"b\",\n  \"c\",\n]", "$ = [\n  \"a\",\n  // two\n  \"c\",\n]",
            "$ = [\n  \"a\",\n  \"b\\q\",\n  \"c\",\n]", "$ = [\n  \"a\",\n  \"b\",\n  08,\n]",
        ]),
    Part(
        "$ = { x = 1, y = 2 }",
        [
            "$ = { x = 1 y = 2 }", "$ = { x 1, y = 2 }", "$ = { x: 1, y = 2 }", "$ = { x = 1, x = 2 }",
            "$ = { x = , y = 2 }", "$ = { x = 1, y = 2", "$ = { x = 1, y = 2 ]", "$ = { = 1, y = 2 }",
            "$ = { x = 1, y = two }", "$ = { x = 1,, y = 2 }", "$ { x = 1, y = 2 }", "$ = { x = \"a, y = 2 }",
        ]),
    Part(
        "$ = [\n  { name = \"a\", size = 1 },\n  { name = \"b\", size = 2 },\n]",
        [
            "$ = [\n  { name = \"a\", size = 1 }\n  { name = \"b\", size = 2 },\n]",
            "$ = [\n  { name = \"a\", size = 1,\n  { name = \"b\", size = 2 },\n]",
            "$ = [\n  { name = \"a\" size = 1 },\n  { name = \"b\", size = 2 },\n]",
            "$ = [\n  { name = \"a\", size = 1 },\n  { name = \"b\", size = two },\n]",
            "$ = [\n  { name = \"a\", size = 1 },\n  { name = \"b\", size: 2 },\n]",
            "$ = [\n  { name = \"a\", size = 1 ],\n  { name = \"b\", size = 2 },\n]",
        ]),
    Part("$ = 2026-11-22", ["$ = 2026-13-45", "$ = 2026-11", "$ = 2026-11-22T25:00:00", "$ = 22.11.2026"]),
    Part(
        "$ = \"\"\"\none\ntwo\"\"\"",
        [
            "$ = \"\"\"\none \\q\ntwo\"\"\"", "$ = \"\"\"\none\ntwo\"\"\" x", "$ = \"\"\"\none\ntwo",
            "$ \"\"\"\none\ntwo\"\"\"",
        ]
    ),
    Part("$ = 1\n$b = 2", ["$ = 1\n$ = 2", "$ = 1\n$.b = 2"]),
    Part(
        "[$]\na = 1\nb = 2",
        [
            "[$\na = 1\nb = 2", "[$] x\na = 1\nb = 2", "[my $]\na = 1\nb = 2", "[$.]\na = 1\nb = 2", "[]\na = 1\nb = 2",
            "[$}\na = 1\nb = 2", "[$]\na = 1\na = 2", "[$]\na 1\nb = 2", "[$!]\na = 1\nb = 2", "[[$]\na = 1\nb = 2",
            "$]\na = 1\nb = 2",
        ]),
    Part(
        "[$.x]\na = 1\n[$.y]\na = 1",
        ["[$.x]\na = 1\n[$.x]\na = 1", "[$.x]\na = 1\n[$.x.a]\na = 1", "[$.x\na = 1\n[$.y]\na = 1"]),
    Part(
        "[[$]]\npath = \"/\"\n[$.limits]\nrate = 1\n[[$]]\npath = \"/b\"",
        [
            "[[$]\npath = \"/\"\n[$.limits]\nrate = 1\n[[$]]\npath = \"/b\"",
            "[[$]]\npath = \"/\"\n[$.limits]\nrate = 1\n[[$] ]\npath = \"/b\"",
            "[[$]]\npath = \"/\"\n[$.limits]\nrate = 1\n[$]\npath = \"/b\"",
            "[[$]]\npath = /\n[$.limits]\nrate = 1\n[[$]]\npath = \"/b\"",
        ]),
    Part("# fine", ["// not fine", "; not fine", "# a \u{1} character", "/* not fine */"]),
    Part(
        "$a = 1\n$b = 2\n$c = 3\n$d = 4\n$e = 5",
        ["<<<<<<< HEAD\n$b = 2\n=======\n$b = 4\n>>>>>>> main", "$a = 1\n$b = 2\n$c = 3\n=======\n$e = 5"]),
]

/// The parts of JSON documents: members of an object. The document has a comma at each `¶` that is not the last one.
let jsonParts: [Part] = [
    Part(
        #""$": 8080¶"#,
        [
            #""$": ¶"#, #""$" 8080¶"#, #""$" = 8080¶"#, #""$": 80a¶"#, #""$": 08080¶"#, #"$: 8080¶"#, #"'$': 8080¶"#,
            #""$: 8080¶"#, #"$": 8080¶"#, #""$": 8080,¶"#, #""$": 8080;"#, #""$": 8080¶ # x"#, #""$": 1_000¶"#,
            #""$": .5¶"#, #""$": 5.¶"#, #""$": +5¶"#, #""$": 0xFF¶"#, #""$":: 8080¶"#, #""$": 12:30¶"#, #""$": 50%¶"#,
            #": 8080¶"#, #"8080: 8080¶"#, "\"$\":\u{A0}8080¶", "\"$\": 8080\u{1}¶", #""$": 1e400¶"#, #""$": -¶"#,
            #""$": 1 2¶"#, #""$"¶"#, #"“$”: 8080¶"#, #""$": 8080 / 2¶"#, #""$": 8080]¶"#,
        ]),
    Part(
        #""$": "db.internal"¶"#,
        [
            #""$": "db.internal¶"#, #""$": db.internal¶"#, #""$": 'db.internal'¶"#, #""$": “db, internal”¶"#,
            #""$": "C:\dir\data"¶"#, #""$": "db"internal"¶"#, #""$": db.internal"¶"#, #""$": None¶"#,
            "\"$\": \"a\tb\"¶", #""$": "\ud800"¶"#, #""$": "\u12"¶"#, #""$": `db`¶"#, #""$": "http://a/{id}¶"#,
        ]),
    Part(#""$": true¶"#, [#""$": True¶"#, #""$": yes¶"#, #""$": undefined¶"#, #""$": NaN¶"#, #""$": true false¶"#]),
    Part(
        #""$": ["a", "b", "c"]¶"#,
        [
            #""$": ["a" "b", "c"]¶"#, #""$": ["a", "b, "c"]¶"#, #""$": ["a",, "c"]¶"#, #""$": ["a", "b"}¶"#,
            #""$": ["a"; "b"]¶"#, #""$": ["a": "b"]¶"#, #""$": [a, "b"]¶"#, #""$": [1, 2, 3x]¶"#, #""$": ["a", "b",]¶"#,
            #""$": ["a", "b]¶"#, #""$" ["a", "b"]¶"#, #""$": [, "a"]¶"#, #""$": ["a", 'b', "c"]¶"#,
        ]),
    Part(
        "\"$\": [\n  \"a\",\n  \"b\",\n  \"c\"\n]¶",
        [
            "\"$\": [\n  \"a\"\n  \"b\",\n  \"c\"\n]¶", "\"$\": [\n  \"a,\n  \"b\",\n  \"c\"\n]¶",
            "\"$\": [\n  \"a\",\n  b,\n  \"c\"\n]¶", "\"$\": [\n  \"a\",\n  \"b\",,\n  \"c\"\n]¶",
            "\"$\": [\n  \"a\",\n  \"b\",\n  \"c\",\n]¶", "\"$\": [\n  \"a\",\n  \"b\",\n  \"c\"\n}¶",
            "\"$\" [\n  \"a\",\n  \"b\",\n  \"c\"\n]¶", "\"$\": [\n  \"a\",\n  # two\n  \"c\"\n]¶",
            "\"$\": [\n  \"a\",\n  \"b\\q\",\n  \"c\"\n]¶", "\"$\": [\n  \"a\",\n  \"b\",\n  \"c\n]¶",
        ]),
    Part(
        "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]}\n}¶",
        [
            "\"$\": {\n  \"x\": 1\n  \"y\": {\"z\": [1, 2]}\n}¶", "\"$\" {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]}\n}¶",
            "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]},\n}¶", "\"$\": {\n  x: 1,\n  \"y\": {\"z\": [1, 2]}\n}¶",
            "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2}\n}¶", "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2}}\n}¶",
            "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]]\n}¶", "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\" [1, 2]}\n}¶",
            "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, two]}\n}¶", "\"$\": {\n  \"x\",\n  \"y\": {\"z\": [1, 2]}\n}¶",
            "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]}\n¶",
            "\"$\": {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]}\n]¶", "$: {\n  \"x\": 1,\n  \"y\": {\"z\": [1, 2]}\n}¶",
        ]),
    Part(
        "\"$\": [\n  {\"name\": \"a\", \"size\": 1},\n  {\"name\": \"b\", \"size\": 2}\n]¶",
        [
            "\"$\": [\n  {\"name\": \"a\", \"size\": 1}\n  {\"name\": \"b\", \"size\": 2}\n]¶",
            "\"$\": [\n  {\"name\": \"a\" \"size\": 1},\n  {\"name\": \"b\", \"size\": 2}\n]¶",
            "\"$\": [\n  {\"name\": \"a\", \"size\": 1},\n  {\"name\": \"b\", \"size\": two}\n]¶",
            "\"$\": [\n  {\"name\": \"a\", \"size\": 1],\n  {\"name\": \"b\", \"size\": 2}\n]¶",
            "\"$\": [\n  {\"name\": \"a\", size: 1},\n  {\"name\": \"b\", \"size\": 2}\n]¶",
        ]),
    Part("// fine", ["# not fine", "/ not fine", "-- not fine"]),
    Part(
        "// a\n// b\n// c\n// d\n// e",
        ["<<<<<<< HEAD\n\"$\": 1,\n=======\n\"$\": 2,\n>>>>>>> main", "// a\n// b\n=======\n// d\n// e"]),
]

/// Composes a JSON document from members.
func jsonDocument(_ members: [String]) -> String {
    let last = members.lastIndex { $0.contains("¶") }
    let lines = members.enumerated().map { index, member in
        member.split(separator: "¶", omittingEmptySubsequences: false).joined(separator: index == last ? "" : ",")
    }
    return "{\n\(lines.joined(separator: "\n"))\n}\n"
}

/// Composes a TOML document from parts. Its last part is a table, so that any part before it is followed by a
/// statement.
func tomlDocument(_ parts: [String]) -> String { parts.joined(separator: "\n") + "\n[last]\nend = true\n" }
