package import Properties

extension PropertyStore {
    /// An empty store that does not report wrong values, for a test that reads many.
    package static var quiet: PropertyStore {
        let store = PropertyStore()
        store.onWrongValue { _ in }
        return store
    }
}
