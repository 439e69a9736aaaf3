import Container
import Foundation
import TestSupport
import Testing

@Suite("Following services under load", .hangLimit)
struct FollowingStressTests {
    final class Connection: Sendable {
        let number: Int
        let closed = Counter()
        init(_ number: Int) { self.number = number }
    }

    final class Users: Sendable {
        let connection: Connection
        let size: Int
        let closed = Counter()
        init(_ connection: Connection, _ size: Int) { (self.connection, self.size) = (connection, size) }
    }

    @Test("Eight threads resolve services while their settings change")
    func threads() async throws {
        let container = Container()
        let (built, users, isDone) = (Results<Connection>(), Results<Users>(), Counter())
        container.register(Connection.self) { r in
            let made = Connection(try r.property("number", default: 0))
            built.add(made)
            return made
        }
        .inObjectScope(.container).onClose { $0.closed.increment() }.followsSettings(draining: .zero)
        container.register(Users.self) { r in
            let made = Users(try r.require(Connection.self), try r.property("size", default: 0))
            users.add(made)
            return made
        }
        .inObjectScope(.container).onClose { $0.closed.increment() }.followsSettings(draining: .zero)
        let rounds = LongRun.isRequested ? 10_000 : 1_000
        let threads = Task.detached {
            await offPool {
                onThreads(8) { _ in
                    var (last, errors) = (0, [String]())
                    while isDone.count == 0 {
                        sched_yield()
                        guard let users = container.resolve(Users.self) else { return ["nothing"] }
                        // The connection was the current one when the users were.
                        let number = users.connection.number
                        if number < last { errors.append("\(number) after \(last)") }
                        last = number
                        guard let connection = container.resolve(Connection.self) else { return ["nothing"] }
                        if connection.number < last { errors.append("connection \(connection.number) after \(last)") }
                    }
                    return errors
                }
            }
        }
        for round in 1...rounds {
            try container.properties.set(["number": .integer(Int64(round)), "size": .integer(Int64(round % 3))])
            if round % 10 == 0 { await Task.yield() }
        }
        await until { !container.isReplacing }
        #expect(try container.require(Users.self).connection.number == rounds)
        isDone.increment()
        #expect(await threads.value.joined().isEmpty)
        await container.closeSlowly()
        #expect(built.all.count > 2)
        #expect(built.all.allSatisfy { $0.closed.count == 1 })
        #expect(users.all.allSatisfy { $0.closed.count == 1 })
    }
}
