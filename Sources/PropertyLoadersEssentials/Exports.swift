@_exported public import ConfigurationSyntax
@_exported public import Properties
