/// What is said of each broken TOML document.
let brokenToml: [Broken] = [
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
        #"config.toml:1:11: there is no escape `\d`. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "an escape of a tab", #"a = "\\#tb""#,
        #"config.toml:1:6: a backslash stands before U+0009. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "an escape of a letter of another script", #"path = "C:\über""#,
        #"config.toml:1:11: there is no escape `\ü`. Write `\\` for a backslash, or put the text in single quotes, where it stands for itself."#
    ),
    Broken(
        "an escape that lacks digits", #"a = "\u12""#,
        #"config.toml:1:6: the escape `\u` lacks digits; expected 4 hexadecimal digits after it"#),
    Broken(
        "a short escape that lacks digits", #"a = "\x1""#,
        #"config.toml:1:6: the escape `\x` lacks digits; expected 2 hexadecimal digits after it"#),
    Broken(
        "half of a surrogate pair", #"a = "\ud83d""#,
        #"config.toml:1:6: the escape is half of a surrogate pair; expected one character, as in `\U0001F600`"#),
    Broken(
        "an escape above the last character", #"a = "\U00110000""#,
        #"config.toml:1:6: the escape names no character; expected a number up to 10FFFF"#),
    Broken(
        "a blank behind a backslash", #"a = """one \ two""""#,
        #"config.toml:1:12: a blank follows the backslash, and then the line goes on; expected the end of the line, or an escape. Write `\\` for a backslash."#
    ),
    Broken(
        "too many quotes", #"a = """one"""""""#,
        #"config.toml:1:11: more than five quotes stand in a row; expected at most two quotes and then the three that end the string. Escape those that belong to the text."#
    ),
    Broken(
        "a control character in a string", #"a = "bell\#u{7}""#,
        #"config.toml:1:10: the string holds a control character, U+0007; expected an escape. Write `\u0007` instead."#),
    Broken(
        "a control character in a literal string", #"a = 'bell\#u{7}'"#,
        #"config.toml:1:10: the string holds a control character, U+0007; expected an escape. Put the text in double quotes and write `\u0007`."#
    ),
    Broken(
        "a control character in a comment", #"# bell \#u{7}\#n"#,
        #"config.toml:1:8: there is a control character, U+0007. Delete it."#),
    Broken(
        "a control character elsewhere", #"a = 1 \#u{1}\#n"#,
        #"config.toml:1:7: there is a control character, U+0001. Delete it."#),
    Broken(
        "a carriage return alone", #"a = 1\#rb = 2\#n"#,
        #"config.toml:1:6: a carriage return stands here with no line feed behind it; expected line ends of LF or CRLF. Save the file with one of these line ends."#
    ),
    Broken(
        "a space of another kind", #"a =\#u{A0}1\#n"#,
        #"config.toml:1:4: there is a blank of another kind, U+00A0. Type a plain space, or nothing, instead."#),
    Broken(
        "typographic quotes", #"name = “pricing”\#n"#,
        #"config.toml:1:8: there is a typographic quote, `“`; expected a plain quote, `"`. Type the quotes at both ends anew."#
    ),
    Broken(
        "a byte order mark inside", #"a = 1\#n\#u{FEFF}b = 2\#n"#,
        #"config.toml:2:1: there is a byte order mark inside the text. Delete this invisible character: it may stand only at the very start."#
    ),
    Broken(
        "a merge conflict", #"a = 1\#n<<<<<<< HEAD\#nb = 2\#n=======\#nb = 3\#n>>>>>>> main\#n"#,
        #"config.toml:2:1: a merge conflict was left here. Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`."#
    ),
    Broken(
        "the rest of a merge conflict", #"a = 1\#n=======\#nb = 3\#n"#,
        #"config.toml:2:1: a merge conflict was left here. Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`."#
    ),
    Broken(
        "JSON", #"{\#n  "a": 1\#n}\#n"#,
        #"config.toml:1:1: this looks like JSON; expected TOML, such as `key = "value"`. Load it as JSON, or write it as TOML."#
    ),
    Broken(
        "a comment of another language", #"// settings\#na = 1\#n"#,
        #"config.toml:1:1: `/` begins no comment in TOML; expected `#`"#),
    Broken(
        "a comment of another language behind a value", #"a = 1 // one\#n"#,
        #"config.toml:1:7: `/` begins no comment in TOML; expected `#`"#),
    Broken(
        "a semicolon comment", #"; settings\#na = 1\#n"#,
        #"config.toml:1:1: a semicolon stands here; expected the end of the line. Remove it; a comment begins with `#`."#
    ),
    Broken(
        "a semicolon behind a value", #"a = 1;\#n"#,
        #"config.toml:1:6: a semicolon stands here; expected the end of the line. Remove it; a comment begins with `#`."#
    ),
    Broken(
        "a misspelt true", #"debug = True\#n"#,
        #"config.toml:1:9: `True` is no value; expected `true`, or text in quotes"#),
    Broken(
        "yes", #"debug = yes\#n"#,
        #"config.toml:1:9: `yes` is no value; expected `true`, or text in quotes"#),
    Broken(
        "a misspelt false", #"debug = FALSE\#n"#,
        #"config.toml:1:9: `FALSE` is no value; expected `false`, or text in quotes"#),
    Broken(
        "off", #"debug = off\#n"#,
        #"config.toml:1:9: `off` is no value; expected `false`, or text in quotes"#),
    Broken(
        "null", #"proxy = null\#n"#,
        #"config.toml:1:9: `null` is no value: TOML has no null. Leave the key out, or put text in quotes."#),
    Broken(
        "a misspelt infinity", #"a = Infinity\#n"#,
        #"config.toml:1:5: `Infinity` is no number; expected `inf` or `nan`, in lower case"#),
    Broken(
        "text without quotes", #"host = localhost\#n"#,
        #"config.toml:1:8: the text `localhost` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "a path without quotes", #"path = /var/log\#n"#,
        #"config.toml:1:8: the text `/var/log` has no quotes; expected a value. Put text in quotes."#),
    Broken(
        "a value with a unit", #"timeout = 30s\#n"#,
        #"config.toml:1:11: `30s` is no number; expected a number, or text in quotes"#),
    Broken(
        "an address without quotes", #"address = 127.0.0.1\#n"#,
        #"config.toml:1:11: `127.0.0.1` is no number; expected a number, or text in quotes"#),
    Broken(
        "a missing value", #"port =\#nhost = "a"\#n"#,
        #"config.toml:1:7: a value is missing; expected a string, a number, a boolean, an array or an inline table"#),
    Broken(
        "a missing value before a comment", #"port = # later\#n"#,
        #"config.toml:1:8: a value is missing; expected a string, a number, a boolean, an array or an inline table"#),
    Broken(
        "a key alone", #"port\#n"#,
        #"config.toml:1:5: no value follows the key; expected `=` and a value (the key is at config.toml:1:1)"#),
    Broken(
        "a colon for an equals sign", #"port: 8080\#n"#,
        #"config.toml:1:5: `:` follows the key; expected `=`"#),
    Broken(
        "a key with a space", #"api key = "x"\#n"#,
        #"config.toml:1:5: a key without quotes has a space in it, before `key`; expected `=` or `.` (the key is at config.toml:1:1). Put the key in quotes."#
    ),
    Broken(
        "a key with another character", #"größe = 1\#n"#,
        #"config.toml:1:3: `ö` cannot stand in a key without quotes; expected letters, digits, `_` or `-`. Put the key in quotes."#
    ),
    Broken(
        "a missing key", #"= 1\#n"#,
        #"config.toml:1:1: there is no key before `=`; expected a key"#),
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
        "an equals sign too many", #"a = = 1\#n"#,
        #"config.toml:1:5: `=` does not belong here; expected a value"#),
    Broken(
        "two pairs on a line", #"a = 1 b = 2\#n"#,
        #"config.toml:1:7: there is more text on this line, `b`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "text behind a string", #"a = "x" y\#n"#,
        #"config.toml:1:9: there is more text on this line, `y`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "a quote too many", #"a = "x""\#n"#,
        #"config.toml:1:8: there is more text on this line, `"`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "a comma behind a pair", #"a = 1,\#nb = 2\#n"#,
        #"config.toml:1:6: a comma follows the value; expected the end of the line. Remove the comma: each key stands on a line of its own."#
    ),
    Broken(
        "an unclosed header", #"[server\#nport = 1\#n"#,
        #"config.toml:1:1: the table header that opens here is never closed; expected a `]`"#),
    Broken(
        "an unclosed double header", #"[[server]\#nport = 1\#n"#,
        #"config.toml:1:1: the table header that opens here is never closed; expected `]]`, with no space in it"#),
    Broken(
        "an empty header", #"[]\#n"#,
        #"config.toml:1:1: the table header is empty; expected a key between the brackets"#),
    Broken(
        "a header with a space", #"[my server]\#n"#,
        #"config.toml:1:5: a key without quotes has a space in it, before `server`; expected `]` or `.`. Put the key in quotes."#
    ),
    Broken(
        "text behind a header", #"[server] port = 1\#n"#,
        #"config.toml:1:10: there is more text on this line, `port`; expected the end of the line. Put each key on a line of its own, and look for a missing quote before this place."#
    ),
    Broken(
        "a dot at the end of a header", #"[a.]\#n"#,
        #"config.toml:1:4: a part of the key is missing here; expected a name on both sides of each dot"#),
    Broken(
        "a bracket too many", #"[server]]\#n"#,
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
        "a comma too many", #"a = [1,, 2]\#n"#,
        #"config.toml:1:8: there is a comma too many; expected a value. Remove this comma."#),
    Broken(
        "a comma first", #"a = [, 1]\#n"#,
        #"config.toml:1:6: there is a comma too many; expected a value. Remove this comma."#),
    Broken(
        "a comma too many in an inline table", #"a = { b = 1,, c = 2 }\#n"#,
        #"config.toml:1:13: there is a comma too many; expected a value. Remove this comma."#),
    Broken(
        "a missing comma", #"a = [1 2]\#n"#,
        #"config.toml:1:8: there is no comma before `2`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a missing comma in an inline table", #"a = { b = 1 c = 2 }\#n"#,
        #"config.toml:1:13: there is no comma before `c`; expected `,` between two values. Add it, or look for a missing quote before this place."#
    ),
    Broken(
        "a semicolon in an array", #"a = [1; 2]\#n"#,
        #"config.toml:1:7: a semicolon separates two values; expected a comma"#),
    Broken(
        "a key in an array", #"a = ["x": 1]\#n"#,
        #"config.toml:1:9: a key stands in an array; expected values alone (opened at config.toml:1:5). Put the key and its value into braces, or make the array an inline table."#
    ),
    Broken(
        "a leading zero", #"zip = 01234\#n"#,
        #"config.toml:1:7: the number starts with a zero; expected a number without leading zeros. Remove the zeros, or put it in quotes if it is no number."#
    ),
    Broken(
        "a leading zero of a float", #"a = 00.5\#n"#,
        #"config.toml:1:5: the number starts with a zero; expected a number without leading zeros. Remove the zeros, or put it in quotes if it is no number."#
    ),
    Broken(
        "a number that starts with its point", #"a = .5\#n"#,
        #"config.toml:1:5: the number starts with its point; expected a digit before it, as in `0.5`"#),
    Broken(
        "a number that ends with its point", #"a = 5.\#n"#,
        #"config.toml:1:6: no digit follows the point; expected a digit, as in `1.0`"#),
    Broken(
        "an exponent without digits", #"a = 1e\#n"#,
        #"config.toml:1:6: the exponent has no digits; expected a whole number after the `e`"#),
    Broken(
        "a sign without a number", #"a = -\#n"#,
        #"config.toml:1:5: no number follows the sign; expected a digit"#),
    Broken(
        "a doubled underscore", #"a = 1__000\#n"#,
        #"config.toml:1:6: an underscore is not between two digits. Remove it."#),
    Broken(
        "an underscore at the end", #"a = 1000_\#n"#,
        #"config.toml:1:9: an underscore is not between two digits. Remove it."#),
    Broken(
        "an upper-case prefix", #"a = 0XFF\#n"#,
        #"config.toml:1:5: the number's prefix is in upper case; expected `0x`, `0o` or `0b`"#),
    Broken(
        "a sign before a prefix", #"a = -0xFF\#n"#,
        #"config.toml:1:5: the number has a sign and a prefix. Remove the sign, or write it in decimal."#),
    Broken(
        "a wrong hexadecimal digit", #"a = 0xFG\#n"#,
        #"config.toml:1:8: `G` is no digit of this number; expected digits from 0 to 9 and from a to f (it starts at config.toml:1:5)"#
    ),
    Broken(
        "a wrong octal digit", #"mode = 0o789\#n"#,
        #"config.toml:1:11: `8` is no digit of this number; expected digits from 0 to 7 (it starts at config.toml:1:8)"#
    ),
    Broken(
        "a wrong binary digit", #"a = 0b102\#n"#,
        #"config.toml:1:9: `2` is no digit of this number; expected the digits 0 and 1 (it starts at config.toml:1:5)"#),
    Broken(
        "an integer too large", #"a = 9223372036854775808\#n"#,
        #"config.toml:1:5: the integer does not fit 64 bits; expected -9223372036854775808 to 9223372036854775807. Put it in quotes if it is no number."#
    ),
    Broken(
        "a hexadecimal integer too large", #"a = 0x8000000000000000\#n"#,
        #"config.toml:1:5: the integer does not fit 64 bits; expected -9223372036854775808 to 9223372036854775807. Put it in quotes if it is no number."#
    ),
    Broken(
        "a float too large", #"a = 1e400\#n"#,
        #"config.toml:1:5: the number is too large for a 64-bit float; expected less than 1.8e308. Put it in quotes if it is no number."#
    ),
    Broken(
        "a month with one digit", #"a = 2026-1-05\#n"#,
        #"config.toml:1:5: `2026-1-05` is no date; expected year, month and day, as in `2026-11-21`"#),
    Broken(
        "a day that does not exist", #"a = 2026-02-30\#n"#,
        #"config.toml:1:5: there is no day `2026-02-30`; expected a day of the calendar"#),
    Broken(
        "a month that does not exist", #"a = 2026-13-01\#n"#,
        #"config.toml:1:5: there is no day `2026-13-01`; expected a day of the calendar"#),
    Broken(
        "a time that does not exist", #"a = 25:00:00\#n"#,
        #"config.toml:1:5: there is no time `25:00:00`; expected 00:00:00 to 23:59:59"#),
    Broken(
        "a time that does not exist on a day", #"a = 2026-01-01T12:60:00Z\#n"#,
        #"config.toml:1:16: there is no time `12:60:00Z`; expected 00:00:00 to 23:59:59"#),
    Broken(
        "an hour with one digit", #"a = 7:30\#n"#,
        #"config.toml:1:5: `7:30` is no time; expected hours and minutes, as in `06:30` or `06:30:00.5`"#),
    Broken(
        "an offset without minutes", #"a = 2026-01-01T12:00:00+01\#n"#,
        #"config.toml:1:24: `+01` is no offset from UTC; expected `Z`, or an offset as in `+01:00`"#),
    Broken(
        "an offset that does not exist", #"a = 2026-01-01T12:00:00+24:00\#n"#,
        #"config.toml:1:24: there is no offset `+24:00`; expected -23:59 to +23:59"#),
    Broken(
        "text behind a date", #"a = 2026-01-01x\#n"#,
        #"config.toml:1:5: `2026-01-01x` is no date; expected year, month and day, as in `2026-11-21`"#),
    Broken(
        "a key twice", #"port = 1\#nhost = "a"\#nport = 2\#n"#,
        #"config.toml:3:1: the key `port` is defined twice (first at config.toml:1:1). Remove one of the two."#),
    Broken(
        "a key twice, once in quotes", #"port = 1\#n"port" = 2\#n"#,
        #"config.toml:2:1: the key `port` is defined twice (first at config.toml:1:1). Remove one of the two."#),
    Broken(
        "a key twice in an inline table", #"a = { b = 1, b = 2 }\#n"#,
        #"config.toml:1:14: the key `b` is defined twice (first at config.toml:1:7). Remove one of the two."#),
    Broken(
        "a table twice", #"[server]\#nport = 1\#n\#n[server]\#nhost = "a"\#n"#,
        #"config.toml:4:2: the table `server` is defined twice (first at config.toml:1:1). Put all its keys under one header."#
    ),
    Broken(
        "a table where a key is", #"a = 1\#n[a]\#n"#,
        #"config.toml:2:2: the key `a` is defined twice (first at config.toml:1:1). Remove one of the two."#),
    Broken(
        "a table in a key", #"a = 1\#n[a.b]\#n"#,
        #"config.toml:2:2: the key `a` has a value that is no table (first at config.toml:1:1). Choose another name for one of the two."#
    ),
    Broken(
        "a dotted key in a key", #"a = 1\#na.b = 2\#n"#,
        #"config.toml:2:1: the key `a` has a value that is no table (first at config.toml:1:1). Choose another name for one of the two."#
    ),
    Broken(
        "a dotted key in an inline table", #"a = { b = 1 }\#na.c = 2\#n"#,
        #"config.toml:2:1: the table `a` is closed: it was written in braces (first at config.toml:1:1). Put the new keys into the braces."#
    ),
    Broken(
        "a header in an inline table", #"a = { b = 1 }\#n[a.c]\#n"#,
        #"config.toml:2:2: the table `a` is closed: it was written in braces (first at config.toml:1:1). Put the new keys into the braces."#
    ),
    Broken(
        "a dotted key in a table with a header", #"[a.b]\#nx = 1\#n[a]\#nb.y = 2\#n"#,
        #"config.toml:4:1: the table `b` has a header of its own (first at config.toml:1:1). Put the key under that header."#
    ),
    Broken(
        "a header of a table of dotted keys", #"[a]\#nb.c = 1\#n[a.b]\#n"#,
        #"config.toml:3:4: the table `b` was defined by dotted keys (first at config.toml:2:1). Add to it there, with dotted keys."#
    ),
    Broken(
        "a dotted key in an array of tables", #"[[a.b]]\#nx = 1\#n[a]\#nb.y = 2\#n"#,
        #"config.toml:4:1: a dotted key leads into the array of tables `b` (first at config.toml:1:1). Put the key under that array's header."#
    ),
    Broken(
        "a header in a static array", #"a = [1]\#n[[a]]\#n"#,
        #"config.toml:2:3: the array `a` is closed: it was written in brackets (first at config.toml:1:1). Put the new table into the brackets."#
    ),
    Broken(
        "a single header of an array of tables", #"[[a]]\#n[a]\#n"#,
        #"config.toml:2:2: `a` is an array of tables (first at config.toml:1:1). Write its header in double brackets, or choose another name."#
    ),
    Broken(
        "a double header of a table", #"[a]\#n[[a]]\#n"#,
        #"config.toml:2:3: `a` is a table and no array of tables (first at config.toml:1:1). Choose another name for one of the two."#
    ),
    Broken(
        "too deep", "a = " + brackets(129) + "\n",
        #"config.toml:1:133: more than 128 arrays and tables stand inside each other. Make the document flatter, or raise the depth in the loader's limits."#
    ),
    Broken(
        "too deep by dots", String(repeating: "a.", count: 199) + "a = 1",
        #"config.toml:1:257: more than 128 arrays and tables stand inside each other. Make the document flatter, or raise the depth in the loader's limits."#
    ),
]
