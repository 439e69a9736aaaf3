import Foundation

protocol Transport: AnyObject {
    var address: String { get }
    func send(_ text: String)
}

class SMTPTransport: Transport {
    let address: String
    private(set) var sent: [String] = []
    init(host: String, port: Int) { address = "\(host):\(port)" }
    func send(_ text: String) { sent.append(text) }
}

class DryTransport: Transport {
    var address: String { "nowhere" }
    func send(_ text: String) {}
}

/// An outbox and its monitor know each other.
class Outbox {
    let transport: Transport
    let sender: String
    var limit = 0
    weak var monitor: Monitor?

    init(transport: Transport, sender: String) {
        self.transport = transport
        self.sender = sender
    }

    func post(_ letter: Letter) {
        transport.send(letter.text)
        monitor?.count += 1
    }
}

class Monitor {
    var outbox: Outbox!
    var count = 0
}

class Letter {
    let text: String
    init(to recipient: String, isUrgent: Bool, footers: [String]) {
        text = ([isUrgent ? "Urgent, \(recipient)" : "Dear \(recipient)"] + footers).joined(separator: " | ")
    }
}

class Templates {
    let names = ["welcome", "receipt"]
}

protocol Accounts {
    var isLoggedIn: Bool { get set }
}

class SessionAccounts: Accounts {
    var isLoggedIn = false
}

/// Counts the outboxes that several threads see.
final class Census: @unchecked Sendable {
    // @unchecked: the lock guards the set.
    private let lock = NSLock()
    private var outboxes: Set<ObjectIdentifier> = []

    var count: Int { lock.withLock { outboxes.count } }

    func add(_ outbox: Outbox) {
        lock.lock()
        outboxes.insert(ObjectIdentifier(outbox))
        lock.unlock()
    }
}

struct NoLimit: Error {}
