internal import Properties

// The one place that says what is wrong with a Swift value.
extension Reflector {
    func notATable(_ instance: Any) -> PropertyLoadError {
        let isNil = (instance as? any AnyOptional).map { $0.content == nil } ?? false
        return PropertyLoadError(
            .notATable, isNil ? "the value is nil" : "`\(type(of: instance))` is one value with no properties inside",
            at: PropertyOrigin(source: PropertySource(name: name)),
            expected: "a struct, a class, a tuple or a dictionary with string keys",
            remedy: "Put it into a struct, whose property gives it a name")
    }

    func cycle(through instance: Any, at holder: String) -> PropertyLoadError {
        let place = holder.isEmpty ? "the whole" : "`\(holder)`"
        return PropertyLoadError(
            .cycle, "the `\(type(of: instance))` here is the one that holds it, \(place)", at: here,
            expected: "values that do not hold themselves",
            remedy: "Load a value without the way back, or leave it out of the type's `customMirror`")
    }

    func tooDeep() -> PropertyLoadError {
        PropertyLoadError(
            .limit, "more than \(limits.depth) tables stand inside each other here", at: here,
            remedy: "Flatten the value, or raise `depth` in the loader's limits")
    }

    func tooMany() -> PropertyLoadError {
        PropertyLoadError(
            .limit, "there are more than \(limits.values) values, counted up to here", at: here,
            remedy: "Leave out what is no property (one instance in two places counts twice), "
                + "or raise `values` in the loader's limits")
    }

    private var here: PropertyOrigin {
        guard !path.isEmpty else { return PropertyOrigin(source: PropertySource(name: name)) }
        let source = PropertySource(name: name, labels: [path.joined(separator: ".")])
        return PropertyOrigin(source: source, place: 0)
    }
}

extension Mirror {
    var isOfStructOrClass: Bool { displayStyle == .struct || displayStyle == .class }
}
