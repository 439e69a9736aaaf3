import Container

struct Clock: Sendable { let offset: Int }
struct Report { let clock: Clock }

let container = Container()
container.register(Clock.self) { _ in Clock(offset: 2) }.inObjectScope(.container)
container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }

print("offset \(try container.require(Report.self).clock.offset)")
