import Container
import TestSupport
import Testing

/// Short programs that hung, did not end or closed the wrong instances, in many schedules each.
@Suite("Programs whose code resolves, resets and throws where another thread waits", .serialized, .hangLimit)
struct NamedProgramTests {
    /// A program, and the reasons of the errors that its threads may get.
    struct Named: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let services: [Program.Service]
        let roots: [Program.Root]
        var reasons: Set<ResolutionError.Reason> = []
    }

    /// Creates a service. The code at each place names what it takes.
    private static func service(
        _ factory: String, completion: String? = nil, hook: String? = nil, deinit end: String? = nil,
        _ flags: String = ""
    ) -> Program.Service {
        var service = Program.Service(kind: flags.contains("session") ? .session : .container)
        service.isAsync = flags.contains("async")
        service.hookIsAsync = flags.contains("task")
        service.isInChild = flags.contains("child")
        let code: [(Place, String?)] = [
            (.factory, factory), (.completion, completion), (.hook, hook), (.deinitializer, end),
        ]
        for (place, text) in code {
            service.code[place] = text.map { steps($0, in: service.isInChild ? 1 : 0) }
        }
        return service
    }

    private static func root(_ text: String, in container: Int = 0) -> Program.Root {
        Program.Root(container: container, steps: steps(text, in: container))
    }

    /// The steps of a text: `0` takes a service, `0?` tries to, `throw1` throws once, `reset` resets the session.
    private static func steps(_ text: String, in container: Int) -> [Program.Step] {
        text.split(separator: " ").map { word in
            switch word {
            case "throw": Program.Step(action: .throwError, variant: 0)
            case "throw1": Program.Step(action: .throwError, variant: 1)
            case "reset": Program.Step(action: .reset, container: container)
            case _ where word.hasPrefix("immediate"):
                Program.Step(action: .immediate, service: Int(word.dropFirst(9)) ?? 0, variant: 1)
            default:
                Program.Step(
                    action: .shared, service: Int(word.filter(\.isNumber)) ?? 0, isTolerant: word.hasSuffix("?"),
                    container: container)
            }
        }
    }

    private static let programs = [
        Named(
            testDescription: "A hook of a failed completion resolves a service that waits for it",
            services: [service("", completion: "throw1", hook: "2?"), service("0"), service("0")],
            roots: [root("1"), root("2")], reasons: [.completionFailed, .circular]),
        Named(
            testDescription: "A deinit of a failed service resolves a service that waits for it",
            services: [
                service("", completion: "throw", deinit: "3?"), service("0"), service("0?"), service("2?"),
            ],
            roots: [root("1"), root("2"), root("3")], reasons: [.completionFailed, .circular]),
        Named(
            testDescription: "A completion fails that a service of a child has taken, whose hook is asynchronous",
            services: [service("", completion: "throw", hook: ""), service("0", hook: "", "child task")],
            roots: [root("1", in: 1)], reasons: [.completionFailed]),
        Named(
            testDescription: "A reset of a child closes its service before the one of the parent",
            services: [service("", hook: "", "session"), service("0", hook: "", "session child task")],
            roots: [root("1 reset", in: 1)]),
        Named(
            testDescription: "A reset of the parent removes what a child is building from",
            services: [service("", "session"), service("0", "session child")],
            roots: [root("1", in: 1), root("reset")]),
        Named(
            testDescription: "A factory resets a service whose hook resolves the one under construction",
            services: [service("", hook: "1?", "session"), service("reset")], roots: [root("0 1")]),
        Named(
            testDescription: "A factory resets a service whose hook resolves one that waits for it",
            services: [service("", hook: "2?", "session"), service("reset"), service("1")],
            roots: [root("0 1"), root("2")], reasons: [.circular]),
        Named(
            testDescription: "A hook of a failed service resolves that service",
            services: [service("", completion: "throw", hook: "0?")], roots: [root("0")], reasons: [.completionFailed]),
        Named(
            testDescription: "An asynchronous hook of a failed service resolves that service",
            services: [service("", completion: "throw", hook: "0?", "task")], roots: [root("0")],
            reasons: [.completionFailed]),
        Named(
            testDescription: "A deinit of a failed service resolves that service",
            services: [service("", completion: "throw", deinit: "0?")], roots: [root("0")],
            reasons: [.completionFailed]),
        Named(
            testDescription: "A hook resolves its own service and resets its scope",
            services: [service("", hook: "0? reset", "session")], roots: [root("0 reset")]),
        Named(
            testDescription: "A factory and another one's completion reset what both have taken",
            services: [service("", "session"), service("reset", completion: "2"), service("0", completion: "1")],
            roots: [root("1?"), root("2?")], reasons: [.circular]),
        Named(
            testDescription: "Two hooks reset what both services have taken",
            services: [
                service("", "session"), service("0", completion: "", hook: "reset"),
                service("0", completion: "", hook: "reset"),
            ],
            roots: [root("1?"), root("2?"), root("reset")]),
        Named(
            testDescription: "Two constructions that have taken each other's services fail",
            services: [
                service("", completion: "1", hook: "3?"), service("", completion: "0 throw"),
                service("", completion: "3", hook: "1?"), service("", completion: "2 throw"),
            ],
            roots: [root("0?"), root("2? 2?")]),
        Named(
            testDescription: "Task.immediate in a factory starts an asynchronous service that takes it",
            services: [service("immediate1", completion: "throw1"), service("0", "async")],
            roots: [root("0?"), root("0? 1?")]),
    ]

    @Test(
        "In every schedule, the program ends, and its instances are complete, and closed once and in order",
        arguments: programs)
    func program(_ named: Named) async {
        for seed in 0..<UInt64(LongRun.rounds(40)) {
            let program = Program(named.services, named.roots, seed: seed)
            let trial = Trial(program, patience: RandomProgramTests.patience)
            let hasEnded = await trial.run(PairCounts())
            let reasons = Set(trial.errors.map(\.reason)).subtracting(named.reasons)
            if hasEnded, trial.wrong.isEmpty, reasons.isEmpty { continue }
            Issue.record("\(trial.wrong) \(trial.errors), \(program)")
            return
        }
    }
}
