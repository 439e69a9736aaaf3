/// The form of a value as the JSON Schema of a service describes it, without the types of the service.
package struct SchemaForm: Sendable {
    let form: Form

    /// A value in which nothing is declared.
    package static let value = SchemaForm(form: .value(PropertyNode.self))

    package var optional: SchemaForm { SchemaForm(form: .optional(form)) }
    package var array: SchemaForm { SchemaForm(form: .array(form)) }
    package var dictionary: SchemaForm { SchemaForm(form: .dictionary(form, keys: String.self)) }

    /// Returns the form of a table of settings.
    ///
    /// - Parameter fields: returns the settings. It is called when they are first needed, so that a table may contain
    ///   itself.
    /// - Returns: the form.
    package static func table(_ fields: @escaping @Sendable () -> [Field]) -> SchemaForm {
        SchemaForm(
            form: .table(
                SchemaReference { SettingsSchema("", fields().map { SchemaField($0.key, $0.form.form, $0.isSecret) }) }))
    }

    /// A setting of a table.
    package struct Field {
        let key: String
        let form: SchemaForm
        let isSecret: Bool

        package init(_ key: String, _ form: SchemaForm, isSecret: Bool) {
            (self.key, self.form, self.isSecret) = (key, form, isSecret)
        }
    }
}

private final class SchemaField: SettingField {
    let key: String
    let form: Form
    let isSecret: Bool
    let needsRestart = false, count = 0

    init(_ key: String, _ form: Form, _ isSecret: Bool) { (self.key, self.form, self.isSecret) = (key, form, isSecret) }

    // No type is decoded by such a schema.
    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T { throw reader.unsupported("'\(key)'") }
    func visit(_ name: String, _ visitor: inout some SettingsVisitor) {}
}
