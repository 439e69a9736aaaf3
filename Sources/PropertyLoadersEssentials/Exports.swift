@_exported public import ConfigurationSyntax
@_exported public import Properties

// The API takes URLs and reads dates, data and decimal numbers. On Linux, only the small part of Foundation is linked.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
