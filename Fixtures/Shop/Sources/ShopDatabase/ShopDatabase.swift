import Foundation
import Hummingbird
import NIOCore
import Synchronization

/// Stands in for a database server. It keeps the orders in memory, and asks each new connection for a password.
///
///     ShopDatabase 8090 'first password'
///
/// Its administrator adds a password with `PUT /passwords/NAME`, takes one back with `DELETE /passwords/NAME`, which
/// does not end the connections that were made with it, and lists the connections with `GET /connections`.
@main
struct ShopDatabase {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]) else {
            print("usage: ShopDatabase PORT PASSWORD")
            exit(64)
        }
        let application = Application(
            router: databaseRouter(DatabaseState(password: arguments[2])),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                // At once, also to a file.
                FileHandle.standardOutput.write(Data("listening on \(channel.localAddress?.port ?? 0)\n".utf8))
            })
        try await application.runService()
    }
}

struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = source.channel
    }
}

final class DatabaseState: Sendable {
    private struct State {
        var passwords: Set<String>
        /// The password of each open connection.
        var connections: [ObjectIdentifier: String] = [:]
        var orders: [String] = []
    }
    private let state: Mutex<State>

    init(password: String) { state = Mutex(State(passwords: [password])) }

    var orders: Int { state.withLock { $0.orders.count } }
    /// The number of open connections of each password.
    var connections: [String: Int] {
        state.withLock { state in state.connections.values.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    }
    func add(_ order: String) { state.withLock { $0.orders.append(order) } }
    func accept(_ password: String) { state.withLock { _ = $0.passwords.insert(password) } }
    func refuse(_ password: String) { state.withLock { _ = $0.passwords.remove(password) } }

    /// Checks the password at the first request of a connection.
    func authenticate(_ request: Request, _ connection: any Channel) throws {
        let id = ObjectIdentifier(connection)
        let isNew = try state.withLock { state in
            if state.connections[id] != nil { return false }
            let header = request.headers[.authorization] ?? ""
            let encoded = Data(base64Encoded: String(header.dropFirst("Basic ".count))) ?? Data()
            let parts = String(decoding: encoded, as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0] == "shop", state.passwords.contains(String(parts[1])) else {
                throw HTTPError(.unauthorized)
            }
            state.connections[id] = String(parts[1])
            return true
        }
        guard isNew else { return }
        connection.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { _ = $0.connections.removeValue(forKey: id) }
        }
    }
}

func databaseRouter(_ database: DatabaseState) -> Router<ConnectionContext> {
    let router = Router(context: ConnectionContext.self)
    router.get("orders") { request, context in
        try database.authenticate(request, context.connection)
        try await Task.sleep(for: .milliseconds(2))  // a disk
        return "\(database.orders)"
    }
    router.post("orders") { request, context in
        try database.authenticate(request, context.connection)
        database.add(String(buffer: try await request.body.collect(upTo: 1024)))
        return ""
    }
    router.put("passwords/:password") { _, context in
        database.accept(try context.parameters.require("password"))
        return ""
    }
    router.delete("passwords/:password") { _, context in
        database.refuse(try context.parameters.require("password"))
        return ""
    }
    router.get("connections") { _, _ in
        database.connections.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
    }
    return router
}
