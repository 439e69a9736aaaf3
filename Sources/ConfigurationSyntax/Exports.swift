@_exported public import TextBasics
