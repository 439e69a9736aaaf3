/// Invalid TOML documents with errors in numbers, dates and tables, and with duplicate definitions.
let brokenTomlValues: [Broken] = [
    Broken(
        "a leading zero", #"zip = 01234\#n"#,
        #"config.toml:1:7: the number starts with a zero; expected a number without leading zeros. Remove the zeros, or put it in quotes if it is not a number."#
    ),
    Broken(
        "a leading zero of a float", #"a = 00.5\#n"#,
        #"config.toml:1:5: the number starts with a zero; expected a number without leading zeros. Remove the zeros, or put it in quotes if it is not a number."#
    ),
    Broken(
        "a number that starts with a decimal point", #"a = .5\#n"#,
        #"config.toml:1:5: the number starts with a decimal point; expected a digit before it, as in `0.5`"#),
    Broken(
        "a number that ends with a decimal point", #"a = 5.\#n"#,
        #"config.toml:1:6: a digit is missing after the decimal point; expected a digit, as in `1.0`"#),
    Broken(
        "an exponent without digits", #"a = 1e\#n"#,
        #"config.toml:1:6: the exponent has no digits; expected a whole number after the `e`"#),
    Broken(
        "a sign without a number", #"a = -\#n"#,
        #"config.toml:1:5: a number is missing after the sign; expected a digit"#),
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
        #"config.toml:1:8: `G` is not a digit of this number; expected digits from 0 to 9 and from a to f (it starts at config.toml:1:5)"#
    ),
    Broken(
        "a wrong octal digit", #"mode = 0o789\#n"#,
        #"config.toml:1:11: `8` is not a digit of this number; expected digits from 0 to 7 (it starts at config.toml:1:8)"#
    ),
    Broken(
        "a wrong binary digit", #"a = 0b102\#n"#,
        #"config.toml:1:9: `2` is not a digit of this number; expected the digits 0 and 1 (it starts at config.toml:1:5)"#
    ),
    Broken(
        "an integer that is too large", #"a = 9223372036854775808\#n"#,
        #"config.toml:1:5: the integer does not fit in 64 bits; expected -9223372036854775808 to 9223372036854775807. Put it in quotes if it is not a number."#
    ),
    Broken(
        "a hexadecimal integer that is too large", #"a = 0x8000000000000000\#n"#,
        #"config.toml:1:5: the integer does not fit in 64 bits; expected -9223372036854775808 to 9223372036854775807. Put it in quotes if it is not a number."#
    ),
    Broken(
        "a float that is too large", #"a = 1e400\#n"#,
        #"config.toml:1:5: the number is too large for a 64-bit float; expected less than 1.8e308. Put it in quotes if it is not a number."#
    ),
    Broken(
        "a month with one digit", #"a = 2026-1-05\#n"#,
        #"config.toml:1:5: `2026-1-05` is not a valid date; expected year, month and day, as in `2026-11-21`. Put it in quotes if it is meant as text."#
    ),
    Broken(
        "a day that does not exist", #"a = 2026-02-30\#n"#,
        #"config.toml:1:5: the day `2026-02-30` does not exist; expected a day of the calendar"#),
    Broken(
        "a month that does not exist", #"a = 2026-13-01\#n"#,
        #"config.toml:1:5: the day `2026-13-01` does not exist; expected a day of the calendar"#),
    Broken(
        "a time that does not exist", #"a = 25:00:00\#n"#,
        #"config.toml:1:5: the time `25:00:00` does not exist; expected 00:00:00 to 23:59:59. Put it in quotes if it is meant as text."#
    ),
    Broken(
        "a date-time whose time does not exist", #"a = 2026-01-01T12:60:00Z\#n"#,
        #"config.toml:1:16: the time `12:60:00Z` does not exist; expected 00:00:00 to 23:59:59. Put it in quotes if it is meant as text."#
    ),
    Broken(
        "an hour with one digit", #"a = 7:30\#n"#,
        #"config.toml:1:5: `7:30` is not a valid time; expected hours and minutes, as in `06:30` or `06:30:00.5`. Put it in quotes if it is meant as text."#
    ),
    Broken(
        "an offset without minutes", #"a = 2026-01-01T12:00:00+01\#n"#,
        #"config.toml:1:24: `+01` is not a valid offset from UTC; expected `Z`, or an offset as in `+01:00`"#),
    Broken(
        "an offset that does not exist", #"a = 2026-01-01T12:00:00+24:00\#n"#,
        #"config.toml:1:24: the offset `+24:00` is out of range; expected -23:59 to +23:59"#),
    Broken(
        "text after a date", #"a = 2026-01-01x\#n"#,
        #"config.toml:1:5: `2026-01-01x` is not a valid date; expected year, month and day, as in `2026-11-21`. Put it in quotes if it is meant as text."#
    ),
    Broken(
        "a duplicate key", #"port = 1\#nhost = "a"\#nport = 2\#n"#,
        #"config.toml:3:1: the key `port` is defined twice (first at config.toml:1:1). Remove one of the two."#),
    Broken(
        "a duplicate key, once in quotes", #"port = 1\#n"port" = 2\#n"#,
        #"config.toml:2:1: the key `port` is defined twice (first at config.toml:1:1). Remove one of the two."#),
    Broken(
        "a duplicate key in an inline table", #"a = { b = 1, b = 2 }\#n"#,
        #"config.toml:1:14: the key `b` is defined twice (first at config.toml:1:7). Remove one of the two."#),
    Broken(
        "a duplicate table", #"[server]\#nport = 1\#n\#n[server]\#nhost = "a"\#n"#,
        #"config.toml:4:2: the table `server` is defined twice (first at config.toml:1:1). Put all its keys under one header."#
    ),
    Broken(
        "a header with the name of an existing key", #"a = 1\#n[a]\#n"#,
        #"config.toml:2:2: the key `a` is defined twice (first at config.toml:1:1). Remove one of the two."#),
    Broken(
        "a header inside of a key that is not a table", #"a = 1\#n[a.b]\#n"#,
        #"config.toml:2:2: the key `a` has a value that is not a table (first at config.toml:1:1). Choose another name for one of the two."#
    ),
    Broken(
        "a dotted key inside of a key that is not a table", #"a = 1\#na.b = 2\#n"#,
        #"config.toml:2:1: the key `a` has a value that is not a table (first at config.toml:1:1). Choose another name for one of the two."#
    ),
    Broken(
        "a dotted key that adds to an inline table", #"a = { b = 1 }\#na.c = 2\#n"#,
        #"config.toml:2:1: the table `a` is closed: it was written in braces (first at config.toml:1:1). Put the new keys into the braces."#
    ),
    Broken(
        "a header that adds to an inline table", #"a = { b = 1 }\#n[a.c]\#n"#,
        #"config.toml:2:2: the table `a` is closed: it was written in braces (first at config.toml:1:1). Put the new keys into the braces."#
    ),
    Broken(
        "a dotted key that adds to a table with a header", #"[a.b]\#nx = 1\#n[a]\#nb.y = 2\#n"#,
        #"config.toml:4:1: the table `b` has a header of its own (first at config.toml:1:1). Put the key under that header."#
    ),
    Broken(
        "a header for a table that dotted keys define", #"[a]\#nb.c = 1\#n[a.b]\#n"#,
        #"config.toml:3:4: the table `b` was defined by dotted keys (first at config.toml:2:1). Add to it there, with dotted keys."#
    ),
    Broken(
        "a dotted key that adds to an array of tables", #"[[a.b]]\#nx = 1\#n[a]\#nb.y = 2\#n"#,
        #"config.toml:4:1: a dotted key leads into the array of tables `b` (first at config.toml:1:1). Put the key under that array's header."#
    ),
    Broken(
        "a header in double brackets that adds to a static array", #"a = [1]\#n[[a]]\#n"#,
        #"config.toml:2:3: the array `a` is closed: it was written in brackets (first at config.toml:1:1). Put the new table into the brackets."#
    ),
    Broken(
        "a header in single brackets for an array of tables", #"[[a]]\#n[a]\#n"#,
        #"config.toml:2:2: `a` is an array of tables (first at config.toml:1:1). Write its header in double brackets, or choose another name."#
    ),
    Broken(
        "a header in double brackets for a table", #"[a]\#n[[a]]\#n"#,
        #"config.toml:2:3: `a` is a table, not an array of tables (first at config.toml:1:1). Choose another name for one of the two."#
    ),
    Broken(
        "arrays that are nested too deep", "a = " + brackets(129) + "\n",
        #"config.toml:1:133: more than 128 arrays and tables are nested. Make the document flatter, or raise `depth` in the limits."#
    ),
    Broken(
        "a dotted key that is too deep", String(repeating: "a.", count: 199) + "a = 1",
        #"config.toml:1:257: more than 128 arrays and tables are nested. Make the document flatter, or raise `depth` in the limits."#
    ),
    Broken(
        "a percentage", #"limit = 10%\#n"#,
        #"config.toml:1:9: `10%` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a percentage in an array", #"limits = [10%, 20%]\#n"#,
        #"config.toml:1:11: `10%` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a date with slashes", #"day = 2026/11/21\#n"#,
        #"config.toml:1:7: `2026/11/21` is not a valid number; expected a number, or text in quotes"#),
    Broken(
        "a date without the time after its `T`", #"at = 2026-11-21T\#n"#,
        #"config.toml:1:17: the end of the line is not a valid time; expected hours and minutes, as in `06:30` or `06:30:00.5`. Put it in quotes if it is meant as text."#
    ),
]
