/// Invalid JSON documents with the messages of their errors.
let brokenJson: [Broken] = [
    Broken(
        "an empty text", #""#,
        #"config.json:1:1: the document is empty; expected a value. Write {} for no properties."#),
    Broken(
        "only blanks", #" \#n"#,
        #"config.json:2:1: the document is empty; expected a value. Write {} for no properties."#),
    Broken(
        "only comments", #"// nothing here\#n"#,
        #"config.json:2:1: the document is empty; expected a value. Write {} for no properties."#),
    Broken(
        "an unclosed string", #"{\#n  "base_url": "https://api.example.com\#n}\#n"#,
        #"config.json:2:15: the string that starts here has no end; expected `"` before the end of the line"#),
    Broken(
        "an unclosed string at the end of the text", #"["abc"#,
        #"config.json:1:2: the string that starts here has no end; expected `"` before the end of the line"#),
    Broken(
        "a backslash that ends the text", #"["abc\"#,
        #"config.json:1:2: the string that starts here has no end; expected `"` before the end of the line"#),
    Broken(
        "an unknown escape", #"{"path": "C:\dir"}"#,
        #"config.json:1:13: `\d` is not a valid escape. Write `\\` for a backslash."#),
    Broken(
        "an escape that lacks digits", #"["\u12"]"#,
        #"config.json:1:3: the escape `\u` lacks digits; expected 4 hexadecimal digits after it. Write `\\` for a backslash."#
    ),
    Broken(
        "half of a surrogate pair", #"["\ud83d"]"#,
        #"config.json:1:3: the escape is half of a surrogate pair; expected both halves, as in `\ud83d\ude00`"#),
    Broken(
        "the second half of a surrogate pair", #"["\ude00"]"#,
        #"config.json:1:3: the escape is half of a surrogate pair; expected both halves, as in `\ud83d\ude00`"#),
    Broken(
        "the halves of a surrogate pair in reverse order", #"["\ude00\ud83d"]"#,
        #"config.json:1:3: the escape is half of a surrogate pair; expected both halves, as in `\ud83d\ude00`"#),
    Broken(
        "a tab in a string", #"["a\#tb"]"#,
        #"config.json:1:4: the string contains a control character, U+0009; expected an escape. Write `\t` instead."#),
    Broken(
        "a control character in a string", #"["bell\#u{7}"]"#,
        #"config.json:1:7: the string contains a control character, U+0007; expected an escape. Write `\u0007` instead."#
    ),
    Broken(
        "a control character elsewhere", #"[1, \#u{1} 2]"#,
        #"config.json:1:5: there is a control character, U+0001. Delete it."#),
    Broken(
        "a no-break space", #"{\#u{A0}"a": 1}"#,
        #"config.json:1:2: there is a space of another kind, U+00A0. Replace it with a plain space, or delete it."#),
    Broken(
        "typographic quotes", #"{“a”: 1}"#,
        #"config.json:1:2: there is a typographic quote, `“`; expected a plain quote, `"`. Retype the quotes at both ends."#
    ),
    Broken(
        "typographic quotes around a value", #"{"a": “b”}"#,
        #"config.json:1:7: there is a typographic quote, `“`; expected a plain quote, `"`. Retype the quotes at both ends."#
    ),
    Broken(
        "a byte order mark inside the text", #"[1, \#u{FEFF}2]"#,
        #"config.json:1:5: there is a byte order mark inside the text. Delete this invisible character: it may only be at the very start."#
    ),
    Broken(
        "a merge conflict", #"{\#n<<<<<<< HEAD\#n  "a": 1\#n=======\#n  "a": 2\#n>>>>>>> main\#n}\#n"#,
        #"config.json:2:1: a merge conflict was left here. Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`."#
    ),
    Broken(
        "a later marker of a merge conflict", #"{\#n  "a": 1\#n>>>>>>> main\#n}\#n"#,
        #"config.json:3:1: a merge conflict was left here. Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`."#
    ),
    Broken(
        "a TOML pair", #"port = 8080\#n"#,
        #"config.json:1:1: this looks like TOML; expected JSON, such as `{"key": "value"}`. Load it as TOML, or write it as JSON."#
    ),
    Broken(
        "a TOML header", #"[server]\#nport = 8080\#n"#,
        #"config.json:1:2: this looks like TOML; expected JSON, such as `{"key": "value"}`. Load it as TOML, or write it as JSON."#
    ),
    Broken(
        "text after the value", #"{"a": 1} {"b": 2}"#,
        #"config.json:1:10: the document has ended, and there is more text; expected one value and nothing after it. Put several values into one array or object."#
    ),
    Broken(
        "an extra bracket", #"{"a": 1}}"#,
        #"config.json:1:9: `}` closes what was never opened. Remove it, or look for a missing bracket."#),
    Broken(
        "a misspelt true", #"{"debug": True}"#,
        #"config.json:1:11: `True` is not a valid value; expected `true`, or text in quotes"#),
    Broken(
        "`yes` for true", #"{"debug": yes}"#,
        #"config.json:1:11: `yes` is not a valid value; expected `true`, or text in quotes"#),
    Broken(
        "a misspelt false", #"{"debug": FALSE}"#,
        #"config.json:1:11: `FALSE` is not a valid value; expected `false`, or text in quotes"#),
    Broken(
        "`off` for false", #"{"debug": off}"#,
        #"config.json:1:11: `off` is not a valid value; expected `false`, or text in quotes"#),
    Broken(
        "a misspelt null", #"{"proxy": None}"#,
        #"config.json:1:11: `None` is not a valid value; expected `null`, or text in quotes"#),
    Broken(
        "`undefined` for null", #"{"proxy": undefined}"#,
        #"config.json:1:11: `undefined` is not a valid value; expected `null`, or text in quotes"#),
    Broken(
        "`NaN`", #"{"a": NaN}"#,
        #"config.json:1:7: `NaN` is not a JSON number; expected a finite number, or `null`"#),
    Broken(
        "`-Infinity`", #"{"a": -Infinity}"#,
        #"config.json:1:7: `-Infinity` is not a JSON number; expected a finite number, or `null`"#),
    Broken(
        "text without quotes", #"{"host": localhost}"#,
        #"config.json:1:10: the text `localhost` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "text without quotes that is not ASCII", #"{"host": über}"#,
        #"config.json:1:10: the text `über` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "true with more after it", #"[trueish]"#,
        #"config.json:1:2: the text `trueish` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "single quotes", #"{"a": 'b'}"#,
        #"config.json:1:7: the string is in the wrong kind of quotes, `'`; expected double quotes, `"`"#),
    Broken(
        "a key in single quotes", #"{'a': 1}"#,
        #"config.json:1:2: the string is in the wrong kind of quotes, `'`; expected double quotes, `"`"#),
    Broken(
        "back quotes", #"{"a": `b`}"#,
        #"config.json:1:7: the string is in the wrong kind of quotes, "`"; expected double quotes, `"`"#),
    Broken(
        "a missing value", #"{"a": , "b": 1}"#,
        #"config.json:1:7: a value is missing; expected a string, a number, a boolean, an array or an object"#),
    Broken(
        "a missing last value", #"{"a": }"#,
        #"config.json:1:7: a value is missing; expected a string, a number, a boolean, an array or an object"#),
    Broken(
        "a missing value at the end of the text", #"{"a":"#,
        #"config.json:1:6: a value is missing; expected a string, a number, a boolean, an array or an object"#),
    Broken(
        "a missing colon", #"{"a" 1}"#,
        #"config.json:1:6: a colon is missing after the key; expected `:` and a value (the key is at config.json:1:2). Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing quote before a colon", #"{"a: 1, "b": 2}"#,
        #"config.json:1:10: a colon is missing after the key; expected `:` and a value (the key is at config.json:1:2). Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "an equals sign instead of a colon", #"{"a" = 1}"#,
        #"config.json:1:6: `=` follows the key; expected `:`"#),
    Broken(
        "two colons", #"{"a":: 1}"#,
        #"config.json:1:6: `:` does not belong here; expected a value"#),
    Broken(
        "a key without quotes", #"{port: 8080}"#,
        #"config.json:1:2: the key `port` has no quotes; expected a key in double quotes. Put quotes around the key, or look for a missing quote before it."#
    ),
    Broken(
        "a number as a key", #"{1: "a"}"#,
        #"config.json:1:2: this key is not a string; expected a key in double quotes"#),
    Broken(
        "a missing key", #"{: 1}"#,
        #"config.json:1:2: a key is missing before `:`; expected a key"#),
    Broken(
        "a key without a value", #"{"a"}"#,
        #"config.json:1:5: a colon is missing after the key; expected `:` and a value (the key is at config.json:1:2). Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a trailing comma", #"{\#n  "a": 1,\#n}\#n"#,
        #"config.json:2:9: a comma follows the last value; expected the closing bracket. Remove this comma."#),
    Broken(
        "a trailing comma in an array", #"[1, 2, ]"#,
        #"config.json:1:6: a comma follows the last value; expected the closing bracket. Remove this comma."#),
    Broken(
        "an extra comma", #"[1,, 2]"#,
        #"config.json:1:4: there is an extra comma; expected a value. Remove this comma."#),
    Broken(
        "a comma before the first value", #"[, 1]"#,
        #"config.json:1:2: there is an extra comma; expected a value. Remove this comma."#),
    Broken(
        "a comma before the first key", #"{, "a": 1}"#,
        #"config.json:1:2: there is an extra comma; expected a value. Remove this comma."#),
    Broken(
        "a missing comma", #"{\#n  "a": 1\#n  "b": 2\#n}\#n"#,
        #"config.json:3:3: a comma is missing before `"b"`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing comma in an array", #"[1 2]"#,
        #"config.json:1:4: a comma is missing before `2`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing quote before a key", #"{"a": 1, b": 2}"#,
        #"config.json:1:10: the key `b` has no quotes; expected a key in double quotes. Put quotes around the key, or look for a missing quote before it."#
    ),
    Broken(
        "a semicolon instead of a comma", #"{"a": 1; "b": 2}"#,
        #"config.json:1:8: a semicolon separates two values; expected a comma"#),
    Broken(
        "a key in an array", #"["a": 1]"#,
        #"config.json:1:5: there is a key in an array; expected values alone (opened at config.json:1:1). Put the key and its value into braces, or make the array an object."#
    ),
    Broken(
        "an unclosed array", #"{\#n  "a": [1, 2\#n"#,
        #"config.json:2:8: the array that opens here is never closed; expected a `]`"#),
    Broken(
        "an unclosed object", #"{\#n  "a": 1,\#n  "b": {"c": 2}\#n"#,
        #"config.json:1:1: the object that opens here is never closed; expected a `}`"#),
    Broken(
        "an opening bracket and nothing else", #"["#,
        #"config.json:1:1: the array that opens here is never closed; expected a `]`"#),
    Broken(
        "a wrong bracket for an array", #"{"a": [1, 2}"#,
        #"config.json:1:12: `}` cannot close an array; expected `]` (opened at config.json:1:7)"#),
    Broken(
        "a wrong bracket for an object", #"[{"a": 1]"#,
        #"config.json:1:9: `]` cannot close an object; expected `}` (opened at config.json:1:2)"#),
    Broken(
        "an unclosed comment", #"{"a": 1} /* to do"#,
        #"config.json:1:10: the comment that starts here has no end; expected a `*/`"#),
    Broken(
        "a comment of another format", #"# settings\#n{"a": 1}"#,
        #"config.json:1:1: `#` does not start a comment in JSON; expected `//` or `/* */`"#),
    Broken(
        "a comment of another format after a value", #"{"a": 1 # one\#n}"#,
        #"config.json:1:9: `#` does not start a comment in JSON; expected `//` or `/* */`"#),
    Broken(
        "a single slash", #"{"a": 1 / 2}"#,
        #"config.json:1:9: a single `/` does not start a comment; expected `//` or `/* */`"#),
    Broken(
        "a leading zero", #"{"zip": 01234}"#,
        #"config.json:1:9: the number starts with a zero; expected a number without leading zeros. Remove the zeros, or put it in quotes if it is not a number."#
    ),
    Broken(
        "a leading zero after a sign", #"[-012]"#,
        #"config.json:1:2: the number starts with a zero; expected a number without leading zeros. Remove the zeros, or put it in quotes if it is not a number."#
    ),
    Broken(
        "a plus sign", #"[+1]"#,
        #"config.json:1:2: the number starts with a plus sign. Remove the sign."#),
    Broken(
        "a number that starts with a decimal point", #"[.5]"#,
        #"config.json:1:2: the number starts with a decimal point; expected a digit before it, as in `0.5`"#),
    Broken(
        "a number that starts with a decimal point after a sign", #"[-.5]"#,
        #"config.json:1:2: the number starts with a decimal point; expected a digit before it, as in `0.5`"#),
    Broken(
        "a number that ends with a decimal point", #"[5.]"#,
        #"config.json:1:3: a digit is missing after the decimal point; expected a digit, as in `1.0`"#),
    Broken(
        "an exponent without digits", #"[1e]"#,
        #"config.json:1:3: the exponent has no digits; expected a whole number after the `e`"#),
    Broken(
        "an exponent with a sign and no digits", #"[1e+]"#,
        #"config.json:1:3: the exponent has no digits; expected a whole number after the `e`"#),
    Broken(
        "a sign without a number", #"[-]"#,
        #"config.json:1:2: a number is missing after the sign; expected a digit"#),
    Broken(
        "an underscore in a number", #"[1_000]"#,
        #"config.json:1:2: there is an underscore in the number. Remove it."#),
    Broken(
        "a hexadecimal number", #"[0xFF]"#,
        #"config.json:1:2: the number has a prefix; expected a decimal number"#),
    Broken(
        "a number with a unit", #"{"timeout": 30s}"#,
        #"config.json:1:13: `30s` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "an IP address without quotes", #"{"address": 127.0.0.1}"#,
        #"config.json:1:13: `127.0.0.1` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a number that is too large", #"[1e400]"#,
        #"config.json:1:2: the number is too large for a 64-bit float; expected less than 1.8e308. Put it in quotes if it is not a number."#
    ),
    Broken(
        "a character that cannot start a value", #"[@a]"#,
        #"config.json:1:2: `@` does not belong here; expected a value"#),
    Broken(
        "an operator", #"[1 + 2]"#,
        #"config.json:1:4: `+` does not belong here; expected `,` or the closing bracket"#),
    Broken(
        "arrays that are nested too deep", brackets(129),
        #"config.json:1:129: more than 128 arrays and tables are nested. Make the document flatter, or raise `depth` in the limits."#
    ),
    Broken(
        "objects that are nested too deep", String(repeating: "{\"a\":", count: 200),
        #"config.json:1:641: more than 128 arrays and tables are nested. Make the document flatter, or raise `depth` in the limits."#
    ),
    Broken(
        "a Windows path that contains a Unicode escape", #"{"path": "C:\users"}"#,
        #"config.json:1:13: the escape `\u` lacks digits; expected 4 hexadecimal digits after it. Write `\\` for a backslash."#
    ),
    Broken(
        "a backslash before a letter that is not ASCII", #"{"path": "C:\über"}"#,
        #"config.json:1:13: `\ü` is not a valid escape. Write `\\` for a backslash."#),
    Broken(
        "a Windows path that ends in a backslash", #"{\#n  "path": "C:\\temp\",\#n  "port": 1\#n}\#n"#,
        #"config.json:2:11: the string that starts here has no end; expected `"` before the end of the line. Write `\\` for a backslash: the quote behind one is part of the text."#
    ),
    Broken(
        "a string with one typographic quote", #"{\#n  "name": "pricing”\#n}\#n"#,
        #"config.json:2:11: the string that starts here has no end; expected `"` before the end of the line. Retype the quote at the end: it is a typographic one."#
    ),
    Broken(
        "a YAML pair", #"port: 80\#n"#,
        #"config.json:1:1: this looks like YAML; expected JSON, such as `{"key": "value"}`. Write it as JSON."#),
    Broken(
        "a YAML list", #"- one\#n- two\#n"#,
        #"config.json:1:1: this looks like YAML; expected JSON, such as `{"key": "value"}`. Write it as JSON."#),
    Broken(
        "a YAML document", #"---\#nport: 80\#n"#,
        #"config.json:1:1: this looks like YAML; expected JSON, such as `{"key": "value"}`. Write it as JSON."#),
    Broken(
        "keys without braces", #""host": "localhost",\#n"port": 80\#n"#,
        #"config.json:1:1: there is a key outside of all objects; expected `{` before the first key. Put all keys and their values into braces."#
    ),
    Broken(
        "a date", #"{"day": 2026-11-21}"#,
        #"config.json:1:9: `2026-11-21` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a time", #"{"at": 12:30}"#,
        #"config.json:1:8: `12:30` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a percentage", #"[10%]"#,
        #"config.json:1:2: `10%` is not a valid number; expected a number, or text in quotes"#),
]
