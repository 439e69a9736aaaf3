import Container
import Foundation
import TestSupport
import Testing

/// Runs a closure on a new thread with a stack of some bytes.
private func onStack<Result: Sendable>(
    _ size: Int, _ body: @escaping @Sendable () -> Result
) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = size
        thread.start()
    }
}

private let small = 512 << 10
private let usual = 8 << 20

@Suite("Deep paths of services", .hangLimit)
struct DepthTests {
    let container = Container()

    private func name(_ number: Int) -> String { "\(number)" }

    /// How a service of a chain takes the next one.
    enum Link: CaseIterable, CustomTestStringConvertible {
        case unshared, transient, shared, lazy, captured, completion
        var testDescription: String { "\(self)" }
    }

    /// Registers services named by their numbers, which take the next service.
    private func registerChain(of count: Int, by link: Link) {
        for number in 0..<count {
            let next = name(number + 1)
            let isLast = number + 1 == count
            switch link {
            case .unshared, .shared, .transient:
                let entry = container.register(Int.self, name: name(number)) { r in
                    isLast ? 1 : try r.require(Int.self, name: next) + 1
                }
                if link == .shared { entry.inObjectScope(.container) }
                if link == .transient { entry.inObjectScope(.transient) }
            case .lazy:
                container.register(Int.self, name: name(number)) { r in
                    isLast ? 1 : try r.require(Lazy<Int>.self, name: next).get() + 1
                }
            case .captured:
                container.register(Int.self, name: name(number)) { [unowned container] _ in
                    isLast ? 1 : try container.require(Int.self, name: next) + 1
                }
            case .completion:
                container.register(Int.self, name: name(number)) { _ in count - number }.initCompleted { r, _ in
                    if !isLast { _ = try r.resolve(Container.self)?.require(Int.self, name: next) }
                }
            }
        }
    }

    @Test(
        "A path of 200 services works on a stack of 8 MiB, and one of 25 on a stack of 512 KiB",
        arguments: Link.allCases)
    func works(link: Link) async {
        registerChain(of: 200, by: link)
        let name = name(175)
        let few = await onStack(small) { [container] in container.resolve(Int.self, name: name) }
        let many = await onStack(usual) { [container] in container.resolve(Int.self, name: "0") }
        #expect((few, many) == (25, 200))
    }

    @Test(
        "A path that the stack has no room for is an error with its beginning and its end", arguments: Link.allCases,
        [small, usual])
    func tooDeep(link: Link, size: Int) async throws {
        registerChain(of: 2_000, by: link)
        let error = await onStack(size) { [container] in
            failure { _ = try container.require(Int.self, name: "0") }
        }
        let found = try #require(error)
        #expect(found.reason == .tooDeep)
        #expect(found.path.count <= 1_001)
        let first = (0..<8).map { #"Int "\#($0)""# }.joined(separator: " → ")
        let last = (found.path.count - 8..<found.path.count).map { #"Int "\#($0)""# }.joined(separator: " → ")
        #expect(
            found.description.hasPrefix("\(first) → … \(found.path.count - 16) more … → \(last): more services need "))
        #expect(found.description.hasSuffix("let one of them take the next as a Lazy"))
        // Nothing is left of the attempt.
        let last20 = await onStack(size) { [container] in container.resolve(Int.self, name: "1980") }
        #expect(last20 == 20)
    }

    @Test("The message names the limit")
    func message() async {
        registerChain(of: 2_000, by: .unshared)
        let texts = await [small, 64 << 20].asyncMap { size in
            await onStack(size) { [container] in
                failure { _ = try container.require(Int.self, name: "0") }?.description ?? ""
            }
        }
        let remedy =
            "Look for a service that resolves itself, such as from a new child container, or let one of them take the next as a Lazy"
        #expect(
            texts[0].hasSuffix(
                ": more services need each other one after another than the stack of the thread has room for. \(remedy)"
            ))
        #expect(texts[1].hasSuffix(": more services need each other one after another than 1000. \(remedy)"))
    }

    // A read of a property makes a call for each parent. Under a sanitizer, the calls for hundreds of parents need more
    // than the part of the stack that is left to a factory, so the stack has room for the maximum number of levels.
    @Test(
        "A service that resolves itself from a new child without end is an error",
        arguments: isSanitized ? [usual << 4] : [small, usual])
    func childOfChild(size: Int) async throws {
        try container.properties.set("depth", to: 1)
        container.register(Int.self, name: "settings") { r in
            let child = Container(parent: try r.require(Container.self))
            return try r.require("depth", as: Int.self) + child.require(Int.self, name: "settings")
        }
        container.register(Int.self) { r in
            try Container(parent: r.require(Container.self)).require(Int.self) + 1
        }
        container.register(Shared.self) { r in
            try Container(parent: r.require(Container.self)).require(Shared.self)
        }.inObjectScope(.child)
        for reason in await onStack(
            size,
            { [container] in
                [
                    failure { _ = try container.require(Int.self) },
                    failure { _ = try container.require(Shared.self) },
                    failure { _ = try container.require(Int.self, name: "settings") },
                ].map { $0?.reason }
            })
        {
            #expect(reason == .tooDeep)
        }
    }

    @Test("A path across await may have 1,000 services, shared or not", arguments: [false, true])
    func asynchronous(isShared: Bool) async throws {
        for number in 0..<1_200 {
            let next = name(number + 1)
            let entry = container.register(Int.self, name: name(number)) { r async throws in
                number == 1_199 ? 1 : try await r.require(Int.self, name: next) + 1
            }
            if isShared { entry.inObjectScope(.container) }
        }
        #expect(try await container.require(async: Int.self, name: "200") == 1_000)
        container.register(Double.self) { r async throws in Double(try await r.require(Int.self, name: "0")) }
        // Shared ones exist already, but for the first 200.
        #expect(await failure(async: Double.self, in: container)?.reason == (isShared ? nil : .tooDeep))
    }

    @Test(
        "A service that resolves itself from a new child without end is an error with await", arguments: [false, true])
    func asyncChildOfChild(isShared: Bool) async {
        let entry = container.register(Int.self) { r async throws in
            let child = Container(parent: try await r.require(Container.self))
            return try await child.require(async: Int.self) + 1
        }
        if isShared { entry.inObjectScope(.child) }
        let error = await failure(async: Int.self, in: container)
        #expect(error?.reason == .tooDeep)
        #expect((error?.path.count ?? 0) > 900)
        #expect(error?.description.contains(" more … → Int → ") == true)
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async -> Result) async -> [Result] {
        var results: [Result] = []
        for element in self { results.append(await body(element)) }
        return results
    }
}
