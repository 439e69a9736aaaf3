/// The facts about one setting or property: its value and origin, and the valid values.
public struct SettingExplanation: Sendable {
    /// The flat name.
    public let name: String
    /// The value in force, which may be the default. Nil if there is none.
    public let value: PropertyEntry?
    /// The values that it overrode, the latest first. If the first value has another name, it replaced the table of the
    /// setting.
    public let overridden: [PropertyEntry]
    /// The default as JSON text. Nil if there is none, or if it is secret.
    public let defaultText: String?
    /// The valid values as a noun, such as "an integer from 1 to 65535". Nil for a property that is not declared.
    public let rule: String?
    /// Whether this explains a table of settings, and not one setting.
    package internal(set) var isTable = false
    /// The purpose of the setting, or nil.
    public internal(set) var summary: String?
    /// Whether a source must have a value.
    public internal(set) var isRequired = false
    /// Whether the value at the start of the service is kept until a restart.
    public internal(set) var needsRestart = false
    /// The variable that sets it too, whatever the prefix of the environment, or nil.
    public internal(set) var variable: String?
    /// The names that the setting had in earlier versions, which sources may still use.
    public internal(set) var formerNames: [String] = []
    /// The variables that are empty and count as not set, such as "APP_PORT is empty, so unset".
    public internal(set) var unset: [String] = []
    /// The rules that the setting must obey together with other settings, as text.
    public internal(set) var rules: [String] = []
}

extension SettingExplanation: CustomStringConvertible {
    /// A line for each part, with secrets masked.
    public var description: String {
        var rows = [("setting", name), ("value", value?.fullText ?? "none")]
        rows += overridden.map { entry in
            ("overrides", (entry.name.isSame(as: name) ? "" : "\(entry.name) = ") + entry.fullText)
        }
        rows += unset.map { ("note", $0) }
        rows.append(("default", defaultText ?? (isRequired ? "none, a source must have a value" : "none")))
        rows.append(("rule", rule ?? "none, the property is not declared"))
        rows += rules.map { ("together", $0) }
        if let summary { rows.append(("summary", summary)) }
        if let variable { rows.append(("variable", variable)) }
        if !formerNames.isEmpty { rows.append(("formerly", formerNames.joined(separator: ", "))) }
        rows.append(("restart", needsRestart ? "needed" : "not needed"))
        let lines = rows.map { title, text in
            title + String(repeating: " ", count: 11 - title.count) + PrintableText.escaped(text)
        }
        return lines.joined(separator: "\n")
    }

    /// The parts as a JSON object, with secrets masked.
    public var json: String {
        func object(_ entry: PropertyEntry) -> String {
            let name = entry.name.isSame(as: name) ? "" : "\"name\": \(JsonString.quoted(entry.name)), "
            return "{\(name)\"value\": \(entry.json), \"origin\": \(JsonString.quoted("\(entry.node.origin)"))}"
        }
        func text(_ text: String?) -> String { text.map(JsonString.quoted) ?? "null" }
        func list(_ texts: [String]) -> String { "[\(texts.joined(separator: ", "))]" }
        var rows = [
            ("name", text(name)), ("value", value?.json ?? "null"),
            ("origin", text(value.map { "\($0.node.origin)" })), ("overrides", list(overridden.map(object))),
            ("default", defaultText ?? "null"), ("rule", text(rule)), ("summary", text(summary)),
            ("required", "\(isRequired)"), ("needsRestart", "\(needsRestart)"),
        ]
        if let variable { rows.append(("variable", text(variable))) }
        for (key, texts) in [("formerNames", formerNames), ("unset", unset), ("rules", rules)] where !texts.isEmpty {
            rows.append((key, list(texts.map(JsonString.quoted))))
        }
        return "{\n" + rows.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n") + "\n}"
    }
}
