import Container
import ContainerMigration
import Foundation
import PropertyLoaders

let container = Container(defaultObjectScope: .graph)
let assembler = Assembler([TransportAssembly()], container: container)
do {
    try assembler.applyPropertyLoader(JsonPropertyLoader(bundle: .module, name: "mail"))
    try assembler.applyPropertyLoader(PlistPropertyLoader(bundle: .module, name: "limits"))
    try assembler.applyPropertyLoader(BuildLoader())
    try assembler.applyPropertyLoader(JsonPropertyLoader(bundle: .module, name: "missing"))
} catch is PropertyLoaderError {
    print("No such file")
}
assembler.apply(assembly: MailAssembly())
let resolver: Resolver = container.synchronize()

// A pair of services that know each other, and a service with arguments.
let outbox = resolver.resolve(Outbox.self)!
let letter = resolver.resolve(Letter.self, arguments: "Mrs Smith", true)!
outbox.post(letter)
print("\(outbox.sender) via \(outbox.transport.address): \(letter.text), at most \(outbox.limit)")
print("Posted \(outbox.monitor!.count), same outbox: \(outbox.monitor!.outbox === outbox)")
print("Dry: \(resolver.resolve(Transport.self, name: "dry")!.address)")

print("Outboxes that 100 threads see: \(outboxes(from: resolver))")

// The weak scope, and the scope of the program.
var templates = resolver.resolve(Templates.self)
print("Weak, shared: \(templates === resolver.resolve(Templates.self))")
weak var released = templates
templates = nil
print("Weak, released: \(released == nil)")
var accounts = resolver.resolve(Accounts.self)!
accounts.isLoggedIn = true
print("Logged in: \(resolver.resolve(Accounts.self)!.isLoggedIn)")
container.resetObjectScope(.userSession)
print("After the reset: \(resolver.resolve(Accounts.self)!.isLoggedIn)")

// A child container overrides a service, and the closure of another one registers.
let child = Container(parent: container)
child.register(Transport.self) { _ in DryTransport() }
print("Child: \(child.resolve(Transport.self)!.address)")
let small = Container { c in
    c.register(Int.self, name: "answer") { _ in 42 }
}
print("Answer: \(small.resolve(Int.self, name: "answer")!), other: \(small.resolve(Int.self) as Any)")
if let tags = try BuildLoader().load()["build.tags"] as? [String] { print("Tags: \(tags)") }
