@_exported public import Properties
