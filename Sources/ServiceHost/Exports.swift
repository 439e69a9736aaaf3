@_exported public import Container
@_exported public import ContainerReport
@_exported public import PropertyLoadersEssentials
