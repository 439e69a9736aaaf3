/// Invalid TOML documents with the messages of their errors.
let brokenToml = brokenTomlText + brokenTomlValues

/// Invalid TOML documents with errors in characters, strings, keys, brackets and commas.
private let brokenTomlText: [Broken] = [
    Broken(
        "an unclosed string", #"base_url = "https://api.example.com\#nport = 1\#n"#,
        #"config.toml:1:12: the string that starts here has no end; expected `"` before the end of the line"#),
    Broken(
        "an unclosed literal string", #"path = 'C:\temp\#n"#,
        #"config.toml:1:8: the string that starts here has no end; expected `'` before the end of the line"#),
    Broken(
        "an unclosed multi-line string", #"text = """one\#ntwo\#n"#,
        #"config.toml:1:8: the string that starts here has no end; expected `"""` before the end of the file"#),
    Broken(
        "an unclosed multi-line literal string", #"text = '''one\#ntwo\#n"#,
        #"config.toml:1:8: the string that starts here has no end; expected `'''` before the end of the file"#),
    Broken(
        "an unclosed string at the end of the text", #"a = ""#,
        #"config.toml:1:5: the string that starts here has no end; expected `"` before the end of the line"#),
    Broken(
        "a backslash that ends the text", #"a = "x\"#,
        #"config.toml:1:5: the string that starts here has no end; expected `"` before the end of the line"#),
    Broken(
        "an unknown escape", #"path = "C:\dir""#,
        #"config.toml:1:11: `\d` is not a valid escape. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "an escape of a tab", #"a = "\\#tb""#,
        #"config.toml:1:6: the backslash is followed by U+0009. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "a backslash before a letter that is not ASCII", #"path = "C:\über""#,
        #"config.toml:1:11: `\ü` is not a valid escape. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "an escape that lacks digits", #"a = "\u12""#,
        #"config.toml:1:6: the escape `\u` lacks digits; expected 4 hexadecimal digits after it. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "a short escape that lacks digits", #"a = "\x1""#,
        #"config.toml:1:6: the escape `\x` lacks digits; expected 2 hexadecimal digits after it. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "half of a surrogate pair", #"a = "\ud83d""#,
        #"config.toml:1:6: the escape is half of a surrogate pair; expected one character, as in `\U0001F600`"#),
    Broken(
        "an escape above the last character", #"a = "\U00110000""#,
        #"config.toml:1:6: the escape does not name a character; expected a number up to 10FFFF"#),
    Broken(
        "a blank after a backslash", #"a = """one \ two""""#,
        #"config.toml:1:12: the line continues after a backslash and a blank; expected the end of the line, or an escape. Write `\\` for a backslash."#
    ),
    Broken(
        "too many quotes", #"a = """one"""""""#,
        #"config.toml:1:11: there are more than five quotes in a row; expected at most two quotes and then the three that end the string. Escape those that belong to the text."#
    ),
    Broken(
        "a control character in a string", #"a = "bell\#u{7}""#,
        #"config.toml:1:10: the string contains a control character, U+0007; expected an escape. Write `\u0007` instead."#
    ),
    Broken(
        "a control character in a literal string", #"a = 'bell\#u{7}'"#,
        #"config.toml:1:10: the string contains a control character, U+0007; expected an escape. Put the text in double quotes and write `\u0007`."#
    ),
    Broken(
        "a control character in a comment", #"# bell \#u{7}\#n"#,
        #"config.toml:1:8: there is a control character, U+0007. Delete it."#),
    Broken(
        "a control character elsewhere", #"a = 1 \#u{1}\#n"#,
        #"config.toml:1:7: there is a control character, U+0001. Delete it."#),
    Broken(
        "a carriage return without a line feed", #"a = 1\#rb = 2\#n"#,
        #"config.toml:1:6: a carriage return is not followed by a line feed; expected line ends of LF or CRLF. Save the file with one of these line ends."#
    ),
    Broken(
        "a no-break space", #"a =\#u{A0}1\#n"#,
        #"config.toml:1:4: there is a space of another kind, U+00A0. Replace it with a plain space, or delete it."#),
    Broken(
        "typographic quotes", #"name = “pricing”\#n"#,
        #"config.toml:1:8: there is a typographic quote, `“`; expected a plain quote, `"`. Retype the quotes at both ends."#
    ),
    Broken(
        "a byte order mark inside the text", #"a = 1\#n\#u{FEFF}b = 2\#n"#,
        #"config.toml:2:1: there is a byte order mark inside the text. Delete this invisible character: it may only be at the very start."#
    ),
    Broken(
        "a merge conflict", #"a = 1\#n<<<<<<< HEAD\#nb = 2\#n=======\#nb = 3\#n>>>>>>> main\#n"#,
        #"config.toml:2:1: a merge conflict was left here. Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`."#
    ),
    Broken(
        "a later marker of a merge conflict", #"a = 1\#n=======\#nb = 3\#n"#,
        #"config.toml:2:1: a merge conflict was left here. Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`."#
    ),
    Broken(
        "a JSON object", #"{\#n  "a": 1\#n}\#n"#,
        #"config.toml:1:1: this looks like JSON; expected TOML, such as `key = "value"`. Load it as JSON, or write it as TOML."#
    ),
    Broken(
        "a comment of another format", #"// settings\#na = 1\#n"#,
        #"config.toml:1:1: `/` does not start a comment in TOML; expected `#`"#),
    Broken(
        "a comment of another format after a value", #"a = 1 // one\#n"#,
        #"config.toml:1:7: `/` does not start a comment in TOML; expected `#`"#),
    Broken(
        "a semicolon comment", #"; settings\#na = 1\#n"#,
        #"config.toml:1:1: there is a semicolon here; expected the end of the line. Remove it; a comment begins with `#`."#
    ),
    Broken(
        "a semicolon after a value", #"a = 1;\#n"#,
        #"config.toml:1:6: there is a semicolon here; expected the end of the line. Remove it; a comment begins with `#`."#
    ),
    Broken(
        "a misspelt true", #"debug = True\#n"#,
        #"config.toml:1:9: `True` is not a valid value; expected `true`, or text in quotes"#),
    Broken(
        "`yes` for true", #"debug = yes\#n"#,
        #"config.toml:1:9: `yes` is not a valid value; expected `true`, or text in quotes"#),
    Broken(
        "a misspelt false", #"debug = FALSE\#n"#,
        #"config.toml:1:9: `FALSE` is not a valid value; expected `false`, or text in quotes"#),
    Broken(
        "`off` for false", #"debug = off\#n"#,
        #"config.toml:1:9: `off` is not a valid value; expected `false`, or text in quotes"#),
    Broken(
        "`null`", #"proxy = null\#n"#,
        #"config.toml:1:9: `null` is not a valid value: TOML has no null. Leave the key out, or put text in quotes."#),
    Broken(
        "a misspelt infinity", #"a = Infinity\#n"#,
        #"config.toml:1:5: `Infinity` is not a valid number; expected `inf` or `nan`, in lower case"#),
    Broken(
        "text without quotes", #"host = localhost\#n"#,
        #"config.toml:1:8: the text `localhost` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "a path without quotes", #"path = /var/log\#n"#,
        #"config.toml:1:8: the text `/var/log` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "a number with a unit", #"timeout = 30s\#n"#,
        #"config.toml:1:11: `30s` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "an IP address without quotes", #"address = 127.0.0.1\#n"#,
        #"config.toml:1:11: `127.0.0.1` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a missing value", #"port =\#nhost = "a"\#n"#,
        #"config.toml:1:7: a value is missing; expected a string, a number, a boolean, an array or an inline table"#),
    Broken(
        "a missing value before a comment", #"port = # later\#n"#,
        #"config.toml:1:8: a value is missing; expected a string, a number, a boolean, an array or an inline table"#),
    Broken(
        "a key without a value", #"port\#n"#,
        #"config.toml:1:5: `=` is missing after the key; expected `=` and a value (the key is at config.toml:1:1)"#),
    Broken(
        "a colon instead of an equals sign", #"port: 8080\#n"#,
        #"config.toml:1:5: `:` follows the key; expected `=`"#),
    Broken(
        "a key with a space", #"api key = "x"\#n"#,
        #"config.toml:1:5: a key without quotes has a space in it, before `key`; expected `=` or `.` (the key is at config.toml:1:1). Put the key in quotes."#
    ),
    Broken(
        "a key with an invalid character", #"größe = 1\#n"#,
        #"config.toml:1:3: `ö` is not allowed in a key without quotes; expected letters, digits, `_` or `-`. Put the key in quotes."#
    ),
    Broken(
        "a missing key", #"= 1\#n"#,
        #"config.toml:1:1: a key is missing before `=`; expected a key"#),
    Broken(
        "a missing part of a key", #"a..b = 1\#n"#,
        #"config.toml:1:3: a part of the key is missing here; expected a name on both sides of each dot"#),
    Broken(
        "a dot at the end of a key", #"a. = 1\#n"#,
        #"config.toml:1:4: a part of the key is missing here; expected a name on both sides of each dot"#),
    Broken(
        "a multi-line key", #""""a""" = 1\#n"#,
        #"config.toml:1:1: the key is a multi-line string; expected a key in single quotes or double"#),
    Broken(
        "an extra equals sign", #"a = = 1\#n"#,
        #"config.toml:1:5: `=` does not belong here; expected a value"#),
    Broken(
        "two keys on one line", #"a = 1 b = 2\#n"#,
        #"config.toml:1:7: there is more text on this line, `b`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "text after a string", #"a = "x" y\#n"#,
        #"config.toml:1:9: there is more text on this line, `y`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "an extra quote", #"a = "x""\#n"#,
        #"config.toml:1:8: there is more text on this line, `"`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "a comma after a value", #"a = 1,\#nb = 2\#n"#,
        #"config.toml:1:6: a comma follows the value; expected the end of the line. Remove the comma: each key is on a line of its own."#
    ),
    Broken(
        "an unclosed header", #"[server\#nport = 1\#n"#,
        #"config.toml:1:1: the table header that opens here is never closed; expected a `]`"#),
    Broken(
        "an unclosed header in double brackets", #"[[server]\#nport = 1\#n"#,
        #"config.toml:1:1: the table header that opens here is never closed; expected `]]`, with no space in it"#),
    Broken(
        "an empty header", #"[]\#n"#,
        #"config.toml:1:1: the table header is empty; expected a key between the brackets"#),
    Broken(
        "a header with a space", #"[my server]\#n"#,
        #"config.toml:1:5: a key without quotes has a space in it, before `server`; expected `]` or `.`. Put the key in quotes."#
    ),
    Broken(
        "text after a header", #"[server] port = 1\#n"#,
        #"config.toml:1:10: there is more text on this line, `port`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "a dot at the end of a header", #"[a.]\#n"#,
        #"config.toml:1:4: a part of the key is missing here; expected a name on both sides of each dot"#),
    Broken(
        "an extra bracket", #"[server]]\#n"#,
        #"config.toml:1:9: `]` closes what was never opened. Remove it, or look for a missing bracket."#),
    Broken(
        "an unclosed array", #"a = [1, 2\#n\#n"#,
        #"config.toml:1:5: the array that opens here is never closed; expected a `]`"#),
    Broken(
        "an unclosed array before the next key", #"a = [\#n  1,\#n  2\#nb = 3\#n"#,
        #"config.toml:1:5: the array that opens here is never closed; expected a `]`"#),
    Broken(
        "an unclosed inline table", #"a = { b = 1\#n"#,
        #"config.toml:1:5: the inline table that opens here is never closed; expected a `}`"#),
    Broken(
        "a wrong bracket for an array", #"a = [1, 2}\#n"#,
        #"config.toml:1:10: `}` cannot close an array; expected `]` (opened at config.toml:1:5)"#),
    Broken(
        "a wrong bracket for an inline table", #"a = { b = 1 ]\#n"#,
        #"config.toml:1:13: `]` cannot close an inline table; expected `}` (opened at config.toml:1:5)"#),
    Broken(
        "an extra comma", #"a = [1,, 2]\#n"#,
        #"config.toml:1:8: there is an extra comma; expected a value. Remove this comma."#),
    Broken(
        "a comma before the first value", #"a = [, 1]\#n"#,
        #"config.toml:1:6: there is an extra comma; expected a value. Remove this comma."#),
    Broken(
        "an extra comma in an inline table", #"a = { b = 1,, c = 2 }\#n"#,
        #"config.toml:1:13: there is an extra comma; expected a value. Remove this comma."#),
    Broken(
        "a missing comma", #"a = [1 2]\#n"#,
        #"config.toml:1:8: a comma is missing before `2`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing comma in an inline table", #"a = { b = 1 c = 2 }\#n"#,
        #"config.toml:1:13: a comma is missing before `c`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing comma before an inline table", #"a = [\#n  { b = 1 }\#n  { b = 2 },\#n]\#n"#,
        #"config.toml:3:3: a comma is missing before `{`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing comma before text with an equals sign", #"a = [\#n  "b"\#n  "c=d",\#n]\#n"#,
        #"config.toml:3:3: a comma is missing before `"c=d"`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a semicolon in an array", #"a = [1; 2]\#n"#,
        #"config.toml:1:7: a semicolon separates two values; expected a comma"#),
    Broken(
        "a key in an array", #"a = ["x": 1]\#n"#,
        #"config.toml:1:9: there is a key in an array; expected values alone (opened at config.toml:1:5). Put the key and its value into braces, or make the array an inline table."#
    ),
    Broken(
        "a Windows path that contains a Unicode escape", #"path = "C:\Users\me"\#n"#,
        #"config.toml:1:11: the escape `\U` lacks digits; expected 8 hexadecimal digits after it. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "a Windows path that ends in a backslash", #"path = "C:\\temp\"\#nport = 1\#n"#,
        #"config.toml:1:8: the string that starts here has no end; expected `"` before the end of the line. Write `\\` for a backslash: the quote behind one is part of the text."#
    ),
    Broken(
        "a string with one typographic quote", #"name = "pricing”\#n"#,
        #"config.toml:1:8: the string that starts here has no end; expected `"` before the end of the line. Retype the quote at the end: it is a typographic one."#
    ),
    Broken(
        "a string that continues on the next line", #"text = "one \\#n  two"\#n"#,
        #"config.toml:1:8: the string that starts here has no end; expected `"` before the end of the line. Put text of several lines in triple quotes, `"""`."#
    ),
    Broken(
        "a string with a prefix", #"name = f'{user}'\#n"#,
        #"config.toml:1:8: the text `f` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "a YAML list", #"- one\#n- two\#n"#,
        #"config.toml:1:1: this looks like YAML; expected TOML, such as `key = "value"`. Write it as TOML."#),
    Broken(
        "a YAML document", #"---\#nport: 80\#n"#,
        #"config.toml:1:1: this looks like YAML; expected TOML, such as `key = "value"`. Write it as TOML."#),
    Broken(
        "a key and a value without an equals sign", #"host "localhost"\#n"#,
        #"config.toml:1:6: `=` is missing after the key; expected `=` and a value (the key is at config.toml:1:1)"#),
    Broken(
        "text after a quoted key", #""host"name = 1\#n"#,
        #"config.toml:1:7: `=` is missing after the key; expected `=` and a value (the key is at config.toml:1:1)"#),
    Broken(
        "a shell's export", #"export HOST="localhost"\#n"#,
        #"config.toml:1:1: `export` comes before the key; expected a key alone. Remove this word."#),
    Broken(
        "a header that lacks its first bracket", #"server]\#nport = 1\#n"#,
        #"config.toml:1:7: `]` closes what was never opened. Remove it, or look for a missing bracket."#),
    Broken(
        "a header in double brackets without its closing brackets", #"[[server\#nport = 1\#n"#,
        #"config.toml:1:1: the table header that opens here is never closed; expected `]]`, with no space in it"#),
]
