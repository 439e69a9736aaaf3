/// A service that a synchronous factory needs, and that only an asynchronous resolve can build.
struct MissingService {
    let registration: Registration
    let asked: Container
    /// The number of services in the path to it.
    let depth: Int
}

extension Registration {
    /// Returns the error of a synchronous resolve of this service, which would have to wait for a task.
    ///
    /// If the resolve is a part of an asynchronous one that can build the instance and keep it, this method records the
    /// service, so that the asynchronous resolve builds it and then calls the synchronous factory again.
    func asynchronous(
        for asked: Container? = nil, on worker: Worker
    ) -> ResolutionError {
        let path = asked == nil ? worker.path(to: key) : worker.path
        let isKept = isSharing || worker.outermost.isAsync && options.scope == .graph
        worker.missing =
            worker.isAsync && isKept && key.hasNoArguments
            ? MissingService(registration: self, asked: asked ?? owner, depth: path.count - 1) : nil
        return .asynchronous(self, path: path)
    }
}

extension ResolutionError {
    /// The error of a synchronous resolve that would have to wait for a task.
    static func asynchronous(_ registration: Registration, path: [ServiceKey]) -> ResolutionError {
        ResolutionError(.asynchronous, path: path, detail: registration.isSharing ? "and does not exist yet" : nil)
    }

    /// The error for an error that a factory or a completion threw in a task. If the task is cancelled, that is the
    /// reason. Otherwise the cancellation of another task is only a cause, so that nobody tries again because of it.
    static func inTask(_ reason: Reason, of error: any Error, path: [ServiceKey]) -> ResolutionError {
        let inner = error as? ResolutionError
        if Task.isCancelled {
            return ResolutionError(.cancelled, path: inner?.keys ?? path, cause: inner?.cause ?? error)
        }
        if inner?.reason == .cancelled { return ResolutionError(reason, path: path, cause: error) }
        return ResolutionError(reason, of: error, path: path)
    }

    static func cancelled(path: [ServiceKey]) -> ResolutionError {
        ResolutionError(.cancelled, path: path, cause: CancellationError())
    }
}

extension Worker {
    /// Replaces the missing service by the shared service that needs it, if that would have kept it in its graph: the
    /// graph has ended, and only an asynchronous resolve of the shared service can build both.
    func replaceMissing(with registration: Registration, _ asked: Container) {
        guard let missing, !missing.registration.isSharing else { return }
        self.missing =
            registration.key.hasNoArguments
            ? MissingService(registration: registration, asked: asked, depth: depth) : nil
    }

    /// Builds the service that a synchronous factory needed when it threw an error, so that the factory can be called
    /// again.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - built: the services that have been built for this factory. Each is built once.
    ///   - context: the graph of the factory.
    /// - Throws: the error, if it is not `.asynchronous` or if the factory would not find the service. Otherwise the
    ///   error of the service, with the path to it.
    nonisolated(nonsending) func buildMissing(
        after error: ResolutionError, _ built: inout [Registration], in context: ResolutionContext
    ) async throws(ResolutionError) {
        guard error.reason == .asynchronous, let missing, missing.depth < error.keys.count,
            missing.registration.key == error.keys[missing.depth],
            !built.contains(where: { $0 === missing.registration })
        else { throw error }
        self.missing = nil
        built.append(missing.registration)
        do throws(ResolutionError) {
            _ = try await missing.registration.instance(for: missing.asked, (), on: self, in: context)
        } catch let failure {
            throw failure.with(path: Array(error.keys.prefix(missing.depth)) + failure.keys.dropFirst(path.count))
        }
    }
}
