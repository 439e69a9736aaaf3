import Container
import Foundation
import PropertyLoaders

extension Trouble {
    /// The kinds of `PropertyLoadError`.
    static let sources: [Trouble] = [
        Trouble(
            "notFound",
            cause: "The file, or the resource of a bundle, does not exist.",
            remedy:
                "Correct the path. A relative path begins at the directory where you start the program. If the "
                + "file may be missing, write `.optional()` behind its loader."
        ) {
            do { try PropertyStore().apply(TomlPropertyLoader(url: URL(filePath: "config/none.toml"))) } catch {
                return Shown("\(error)".replacing(FileManager.default.currentDirectoryPath, with: "/srv/shop"))
            }
            return nil
        },
        Trouble(
            "unreadable",
            cause:
                "The file exists and cannot be read: it is a directory, a pipe or a device, or your user may not "
                + "read it.",
            remedy: "Check the path, and the permissions of the file and of its directories."
        ) {
            try PropertyStore().apply(TomlPropertyLoader(url: URL(filePath: "/usr")))
            return nil
        },
        Trouble(
            "unavailable",
            cause:
                "The system cannot read the file at the moment, for example because the process has no free file "
                + "descriptor.",
            remedy:
                "A watcher tries again by itself. At the start, start the program again. If that does not help, "
                + "look for a leak of descriptors, or a failing disk."),
        Trouble(
            "emptied",
            cause:
                "At a reload, a file or a directory that had properties has none, or a mounted file such as "
                + "`secrets/token` that had text has none. A full disk, or a program that has not written the file "
                + "yet, leaves it so.",
            remedy:
                "If the file gets its contents soon, nothing: the service goes on with its last good settings. If "
                + "the file is meant to be empty, restart the service."),
        Trouble(
            "unprotected",
            cause: "A warning: every user of the machine can write a file with secrets.",
            remedy: "Take the permission away with `chmod o-w`, in the image or in the volume."),
        Trouble(
            "whiteSpace",
            cause:
                "A warning: the text of a variable or a mounted file begins or ends with white space that nobody sees, "
                + "such as a second line break. It is a part of the value.",
            remedy: "Write the value without it: a file with `printf %s`, the lines of a file of variables without "
                + "carriage returns."),
        Trouble(
            "quotationMarks",
            cause:
                "A warning: the text of a variable or a mounted file is in quotation marks, which are a part of "
                + "the value. `docker run --env-file` and `kubectl create secret --from-env-file` keep the "
                + "quotation marks of a file.",
            remedy: "Remove them, or load the file as a `.env` file."),
        Trouble(
            "renamed",
            cause: "A warning: the source has the name that a setting, or its table, had in an earlier version of the "
                + "service. The value counts.",
            remedy: "Write the new name. A later version may not know the former name."),
        Trouble(
            "syntax",
            cause:
                "The text breaks the rules of its format. The place is where the parser noticed the mistake, "
                + "which may be after it.",
            remedy: "Correct the line. `properties check FILE` shows it, with the messages of the whole file."
        ) {
            _ = try Trouble.store("base_url = \"https://api.example.com")
            return nil
        },
        Trouble(
            "notATable", cause: "The document is valid, but is not a table of keys.",
            remedy: "Put its value under a key."
        ) {
            try json("[1, 2]")
            return nil
        },
        Trouble(
            "duplicate",
            cause: "A key is defined twice in one document, or two paths of one source have the same name.",
            remedy: "Remove one of the two keys. The message has both places."
        ) {
            _ = try Trouble.store("[api]\ntimeout = 1\ntimeout = 2")
            return nil
        },
        Trouble(
            "ambiguous",
            cause: "An environment variable, an argument or a secret file can mean two names of other sources.",
            remedy: "Use one spelling of the name in all sources."
        ) {
            let store = try Trouble.store("[api]\nbaseURL = \"a\"\nBaseUrl = \"b\"")
            try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_API__BASE_URL": "c"]))
            return nil
        },
        Trouble(
            "ignored",
            cause:
                "A warning: variables with the prefix of your service were left out, because they announce other "
                + "services of a Kubernetes namespace.",
            remedy: "If they are not settings, nothing. Otherwise pass `includesServiceLinks: true`."
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
            "unsupported", cause: "The value has a type or a size that the format or the store does not support.",
            remedy: "Write the value in another form."
        ) {
            _ = try Trouble.store("big = 9223372036854775808")
            return nil
        },
        Trouble(
            "limit", cause: "The source is larger or deeper than the limit of its loader.",
            remedy: "Check that this is the right file, or pass other limits to the loader."
        ) {
            let text = "a = [[[1]]]"
            try PropertyStore().apply(
                TomlPropertyLoader(string: text, name: "config.toml", limits: SyntaxLimits(depth: 2)))
            return nil
        },
        Trouble(
            "unresolved", cause: "A placeholder refers to a property, a variable or a file that does not exist.",
            remedy:
                "Set it, or give the placeholder a default: `${host:-localhost}`. Write `$${` for a text that is not a "
                + "placeholder."
        ) {
            try PropertyStore().apply(
                TomlPropertyLoader(string: "url = \"https://${host}/\"", name: "config.toml").replacingPlaceholders())
            return nil
        },
        Trouble(
            "cycle", cause: "Placeholders refer to each other, or a Swift value contains itself.",
            remedy: "Write one of the values without a placeholder."
        ) {
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
