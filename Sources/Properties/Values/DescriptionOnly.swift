/// A type whose mirror has only its description, because a dump of its stored properties would show secrets, or the text
/// of whole sources.
package protocol DescriptionOnly: CustomStringConvertible, CustomReflectable {}

extension DescriptionOnly {
    /// Contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
