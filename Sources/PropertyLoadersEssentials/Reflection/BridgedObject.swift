/// A class whose instances stand for Swift values, as those of Foundation do.
///
/// Linux has none of them without the whole of Foundation, which this module does not link. The module that links it
/// declares the conformances, and the reflector finds them at run time: nothing needs to be registered.
// Not limited to classes: a cast to such a protocol bridges a Swift value, and copies all that an array holds.
package protocol BridgedObject {
    /// The value that an instance stands for.
    var bridgedValue: Any { get }
}
