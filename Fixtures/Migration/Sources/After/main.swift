import Container
import Foundation
import PropertyLoaders

let container = Container()
let assembler = Assembler(container: container)
assembler.apply(assembly: TransportAssembly())
do {
    try assembler.applyPropertyLoader(JsonPropertyLoader(bundle: .module, name: "mail"))
    try assembler.applyPropertyLoader(PlistPropertyLoader(bundle: .module, name: "limits"))
    try assembler.applyPropertyLoader(BuildLoader())
    try assembler.applyPropertyLoader(JsonPropertyLoader(bundle: .module, name: "missing"))
} catch is ConfigurationErrors {
    print("No such file")
}
assembler.apply(assembly: MailAssembly())

// A pair of services that know each other, and a service with arguments.
let outbox = container.resolve(Outbox.self)!
let letter = container.resolve(Letter.self, arguments: "Mrs Smith", true)!
outbox.post(letter)
print("\(outbox.sender) via \(outbox.transport.address): \(letter.text), at most \(outbox.limit)")
print("Posted \(outbox.monitor!.count), same outbox: \(outbox.monitor!.outbox === outbox)")
print("Dry: \(container.resolve((any Transport).self, name: "dry")!.address)")
print("Outboxes that 100 threads see: \(outboxes(from: container))")

// The weak scope, and the scope of the program.
var templates = container.resolve(Templates.self)
print("Weak, shared: \(templates === container.resolve(Templates.self))")
weak var released = templates
templates = nil
print("Weak, released: \(released == nil)")
var accounts = container.resolve((any Accounts).self)!
accounts.isLoggedIn = true
print("Logged in: \(container.resolve((any Accounts).self)!.isLoggedIn)")
container.reset(.userSession)
print("After the reset: \(container.resolve((any Accounts).self)!.isLoggedIn)")

// A child container overrides a service, and the closure of another one registers.
let child = Container(parent: container)
child.register((any Transport).self) { _ in DryTransport() }
print("Child: \(child.resolve((any Transport).self)!.address)")
let small = Container()
small.register(Int.self, name: "answer") { _ in 42 }
print("Answer: \(small.resolve(Int.self, name: "answer")!), other: \(small.resolve(Int.self) as Any)")
let build = PropertyStore()
try build.apply(BuildLoader())
if let tags: [String] = build.property("build.tags") { print("Tags: \(tags)") }
