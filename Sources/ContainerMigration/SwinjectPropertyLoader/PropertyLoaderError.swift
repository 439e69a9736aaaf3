public import Container

/// The errors of loaders, of `applyPropertyLoader(_:)` and of an assembler.
///
/// The errors of SwinjectPropertyLoader are cases of an enum of this name. Here `is`, `as?` and
/// `catch let error as PropertyLoaderError` match too. A pattern with a case does not compile: compare the `reason` of a
/// `PropertyLoadError`.
@available(
    *, deprecated,
    message: "load() throws a PropertyLoadError, and applyPropertyLoader and the assembler a ConfigurationErrors"
)
public protocol PropertyLoaderError: Error {}

@available(*, deprecated, message: "for the deprecated protocol")
extension PropertyLoadError: PropertyLoaderError {}

@available(*, deprecated, message: "for the deprecated protocol")
extension ConfigurationErrors: PropertyLoaderError {}
