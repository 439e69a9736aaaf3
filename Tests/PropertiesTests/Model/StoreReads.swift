import Properties

/// Reads the properties of a store in the model's types.
enum StoreReads {
    typealias Outcome = Result<ModelValue, ModelReadFailure>

    /// Reads a property by `require` and by `property`, and returns both results.
    static func read(_ store: PropertyStore, _ name: String, as type: ModelType) -> (Outcome, optional: ModelValue?) {
        switch type {
        case .integer: both(store, name) { .integer($0) }
        case .string: both(store, name) { .string($0) }
        case .bool: both(store, name) { .bool($0) }
        case .double: both(store, name) { .double($0) }
        case .table: both(store, name) { (table: [String: Any]) in ModelValue(natural: table) ?? .null }
        }
    }

    private static func both<Value>(
        _ store: PropertyStore, _ name: String, _ wrap: (Value) -> ModelValue
    ) -> (Outcome, optional: ModelValue?) {
        let optional: Value? = store.property(name)
        do throws(PropertyError) {
            return (.success(wrap(try store.require(name, as: Value.self))), optional.map(wrap))
        } catch {
            return (.failure(ModelReadFailure(reason: error.reason)), optional.map(wrap))
        }
    }

    /// Returns the descriptions of the errors that reads of a name throw.
    static func errors(_ store: PropertyStore, _ name: String) -> [String] {
        [error(store, name, Int.self), error(store, name, [Bool].self), error(store, name, [String: Bool].self)]
            .compactMap(\.self)
    }

    private static func error<Value>(_ store: PropertyStore, _ name: String, _ type: Value.Type) -> String? {
        do throws(PropertyError) {
            _ = try store.require(name, as: type)
            return nil
        } catch {
            return error.description
        }
    }
}
