import AsyncHTTPClient

/// The client of a service.
let client = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.read = .minutes(15)
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
}()
