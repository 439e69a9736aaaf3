import Properties
import Synchronization

/// A source of lines that a test can change. Its values know their lines and columns.
final class ChangingText: PropertyLoader {
    private let name: String
    private let text: Mutex<String>

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = Mutex(text)
    }

    /// Sets the lines. A name that is defined twice makes the loader fail.
    func set(_ new: String) { text.withLock { $0 = new } }

    /// The lines now.
    var current: String { text.withLock { $0 } }

    func load() throws -> PropertyLayer {
        var layer = try Lines(name, text.withLock { $0 }).load()
        let source = layer.source
        layer.source = source.map { PropertySource(name: $0.name, identity: name) }
        return layer
    }
}
