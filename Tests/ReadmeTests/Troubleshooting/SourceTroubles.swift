import Container
import Foundation
import PropertyLoaders

extension Trouble {
    /// The kinds of `PropertyLoadError`.
    static let sources: [Trouble] = [
        Trouble(
            "notFound",
            "The file, or the resource of a bundle, does not exist. If it may be missing, write `.optional()` "
                + "behind its loader."
        ) {
            do { try PropertyStore().apply(TomlPropertyLoader(url: URL(filePath: "config/none.toml"))) } catch {
                return Shown("\(error)".replacing(FileManager.default.currentDirectoryPath, with: "/srv/shop"))
            }
            return nil
        },
        Trouble(
            "unreadable",
            "The file is a directory, a pipe or a device, or your user may not read it. Check the permissions of "
                + "the file and of its directories."
        ) {
            try PropertyStore().apply(TomlPropertyLoader(url: URL(filePath: "/usr")))
            return nil
        },
        Trouble(
            "unavailable",
            "The system cannot read the file at the moment, for example because the process has no free file "
                + "descriptor. A watcher tries again by itself. If a second start does not help, look for a leak of "
                + "descriptors, or a failing disk."
        ),
        Trouble(
            "emptied",
            "At a reload, a file or a directory that had properties has none, or a mounted file such as "
                + "`secrets/token` that had text has none. A full disk, or a program that has not written the file yet, "
                + "leaves it so. The service goes on with its last good settings. If the file is meant to be empty, "
                + "restart the service."
        ),
        Trouble(
            "unprotected",
            "Every user of the machine can write a file with secrets. Take the permission away with `chmod o-w`, "
                + "in the image or in the volume."
        ),
        Trouble(
            "whiteSpace",
            "The text of a variable or a mounted file begins or ends with white space, such as a second line "
                + "break. It is a part of the value. Write a file with `printf %s`, and the lines of a file of "
                + "variables without carriage returns."
        ),
        Trouble(
            "quotationMarks",
            "The text of a variable or a mounted file is in quotation marks, which are a part of the value. "
                + "`docker run --env-file` and `kubectl create secret --from-env-file` keep the quotation marks of a "
                + "file. Remove them, or load the file as a `.env` file."
        ),
        Trouble(
            "renamed",
            "The source has the name that a setting, or its table, had in an earlier version of the service. The "
                + "value counts, but a later version may not know the name."
        ),
        Trouble(
            "syntax",
            "The text breaks the rules of its format. The place is where the parser noticed the mistake, which "
                + "may be after it. `properties check FILE` shows the line, with the messages of the whole file."
        ) {
            _ = try Trouble.store("base_url = \"https://api.example.com")
            return nil
        },
        Trouble("notATable", "The document is valid, but is not a table of keys.") {
            try json("[1, 2]")
            return nil
        },
        Trouble("duplicate", "A key is defined twice in one document, or two paths of one source have the same name.") {
            _ = try Trouble.store("[api]\ntimeout = 1\ntimeout = 2")
            return nil
        },
        Trouble(
            "ambiguous",
            "An environment variable, an argument or a secret file can mean two names of other sources. Use one "
                + "spelling of the name in all sources."
        ) {
            let store = try Trouble.store("[api]\nbaseURL = \"a\"\nBaseUrl = \"b\"")
            try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_API__BASE_URL": "c"]))
            return nil
        },
        Trouble(
            "ignored",
            "Variables with the prefix of your service were left out, because they announce other services of a "
                + "Kubernetes namespace. If they are settings, pass `includesServiceLinks: true`."
        ) {
            let links = [
                "SHOP_DB_SERVICE_HOST": "10.0.0.11", "SHOP_DB_SERVICE_PORT": "5432",
                "SHOP_DB_PORT": "tcp://10.0.0.11:5432",
            ]
            let store = PropertyStore()
            try store.apply(EnvironmentPropertyLoader(prefix: "SHOP", environment: links))
            return store.warnings.first
        },
        Trouble(
            "unsupported",
            "The value has a type or a size that the format or the store does not support. Write it in another "
                + "form."
        ) {
            _ = try Trouble.store("big = 9223372036854775808")
            return nil
        },
        Trouble(
            "limit",
            "The source is larger or deeper than the limit of its loader. Check that this is the right file, or "
                + "pass other limits to the loader."
        ) {
            let text = "a = [[[1]]]"
            try PropertyStore().apply(
                TomlPropertyLoader(string: text, name: "config.toml", limits: SyntaxLimits(depth: 2)))
            return nil
        },
        Trouble(
            "unresolved",
            "A placeholder refers to a property, a variable or a file that does not exist. Write `$${` for a text "
                + "that is not a placeholder."
        ) {
            try PropertyStore().apply(
                TomlPropertyLoader(string: "url = \"https://${host}/\"", name: "config.toml").replacingPlaceholders())
            return nil
        },
        Trouble("cycle", "Placeholders refer to each other, or a Swift value contains itself.") {
            try PropertyStore().apply(
                TomlPropertyLoader(string: "a = \"${b}\"\nb = \"${a}\"", name: "config.toml").replacingPlaceholders())
            return nil
        },
    ]

    private static func json(_ text: String) throws {
        try PropertyStore().apply(JsonPropertyLoader(string: text, name: "config.json"))
    }

    /// A message whose path, which differs from run to run, is replaced.
    private struct Shown: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
