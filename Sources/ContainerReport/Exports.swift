@_exported public import Container
