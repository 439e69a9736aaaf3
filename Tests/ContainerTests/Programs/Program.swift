import Container
import TestSupport

/// A random program: services with user code at every place, and the threads or tasks that use them.
///
/// Services have a tier. User code takes only services of its own tier. It waits only for threads that take services of
/// the next tier: their constructions never wait for that of the code, so the wait ends.
struct Program: Sendable {
    enum Kind: CaseIterable { case container, session, child, weak, graph, transient }

    struct Service: Sendable {
        var tier = 0
        var kind = Kind.container
        var isAsync = false
        var hookIsAsync = false
        var follows = false
        /// Whether the first child registers the service too.
        var isOverridden = false
        /// Whether the first child registers the service instead of the root.
        var isInChild = false
        /// Whether an instance stores the resolver that its factory gets.
        var keepsResolver = false
        var code: [Place: [Step]] = [:]

        var isShared: Bool { kind != .graph && kind != .transient }
        /// Whether a container closes its instances.
        var isKept: Bool { isShared && kind != .weak }
    }

    /// How code takes a service.
    enum Way: CaseIterable {
        case resolver, container, lazy, provider, childTask

        var isOfResolver: Bool { [.resolver, .lazy, .provider].contains(self) }
    }

    struct Step: Sendable {
        var action: Action
        /// The service that is taken, by this code or by the thread or task that it starts.
        var service = 0
        var way = Way.resolver
        /// Whether the code goes on if the service cannot be resolved.
        var isTolerant = false
        /// Whether the code lets the instance read its `Lazy` or `Provider`.
        var reads = false
        /// The container that the code has captured.
        var container = 0
        /// A number that decides between variants of an action.
        var variant = 0
    }

    struct Root: Sendable {
        var container: Int
        var steps: [Step]
        /// The number of passes after which the task is cancelled, or nil.
        var isCancelled = false
    }

    let seed: UInt64
    let forTasks: Bool
    /// Whether code only takes services, in factories and completions. Then each resolve has one possible result.
    let isPlain: Bool
    /// Whether each service takes only services with lower numbers.
    let isOrdered: Bool
    /// Whether only one of the threads runs at a time, as long as none waits for another thread. ThreadSanitizer finds
    /// no races then.
    let isSerial: Bool
    private(set) var actions: Set<Action> = []
    private(set) var services: [Service] = []
    private(set) var roots: [Root] = []
    /// The service that throws an error when it is made for the first time, or nil.
    private(set) var failing: Int?
    /// Whether the program has been made from its seed.
    let isRandom: Bool
    /// How often the code of a service at a place runs. Then it does nothing any more: a `deinit` that builds another
    /// instance of its service would never end.
    var maximumRuns = 4

    /// Every pair of a place and an action that the compiler accepts. Every fourth seed leads to one of them.
    static let pairs = Place.allCases.flatMap { place in
        Action.allCases.filter { !place.refused.contains($0) }.map { (place: place, action: $0) }
    }

    /// Creates a program for threads.
    ///
    /// - Parameters:
    ///   - services: the services.
    ///   - roots: the threads.
    ///   - seed: the seed of the schedule.
    init(_ services: [Service], _ roots: [Root], seed: UInt64) {
        (self.services, self.roots, self.seed) = (services, roots, seed)
        (forTasks, isPlain, isOrdered, isSerial) = (false, false, false, true)
        (isRandom, maximumRuns) = (false, 1000)
        let steps = services.flatMap { $0.code.values.joined() } + roots.flatMap(\.steps)
        actions = Set(steps.map(\.action))
    }

    /// Creates a random program.
    ///
    /// - Parameters:
    ///   - seed: the seed of all that is random.
    ///   - forTasks: whether tasks and not threads use the services.
    init(seed: UInt64, forTasks: Bool) {
        var random = SplitMix(state: seed)
        let focus = seed % 4 == 0 ? Self.pairs[Int(seed / 4 % UInt64(Self.pairs.count))] : nil
        (self.seed, self.forTasks, isRandom) = (seed, forTasks, true)
        isPlain = focus == nil && random.oneIn(3)
        isOrdered = focus == nil && random.oneIn(2)
        isSerial = !forTasks && random.oneIn(2)
        if isPlain { maximumRuns = .max }
        actions = [.nothing, .shared, .unshared, .asynchronous]
        if !isPlain { actions.formUnion(Action.allCases.filter { _ in random.oneIn(2) }) }
        if let focus { actions.insert(focus.action) }
        addServices(&random)
        for index in services.indices { addCode(index, &random) }
        if isPlain, random.oneIn(5) { failing = Int.random(in: services.indices, using: &random) }
        roots = (0..<Int.random(in: 2...(forTasks ? 6 : 4), using: &random)).map { _ in root(&random) }
        if let focus { add(focus, &random) }
    }
}

// MARK: - Making services

extension Program {
    private mutating func addServices(_ random: inout SplitMix) {
        let tiers = actions.contains(.wait) ? 3 : 1
        for tier in 0..<tiers {
            let count = tier == 0 ? Int.random(in: 2...5, using: &random) : 1
            for _ in 0..<count { services.append(service(tier, &random)) }
            if isPlain { continue }
            // Each tier has a service that any code can take, and that is released when the code drops it.
            services.append(Service(tier: tier, kind: random.oneIn(2) ? .graph : .transient))
        }
    }

    private func service(_ tier: Int, _ random: inout SplitMix) -> Service {
        var service = Service(tier: tier)
        service.isAsync = random.chance(forTasks ? 60 : isPlain ? 0 : 20)
        let plain: [Kind] = [.container, .container, .container, .child, service.isAsync ? .child : .graph]
        let all: [Kind] = [.container, .container, .session, .session, .child, .weak, .graph, .transient]
        service.kind = (isPlain ? plain : all).randomElement(using: &random) ?? .container
        if isPlain { return service }
        service.hookIsAsync = random.oneIn(3)
        service.follows = service.kind == .container && actions.contains(.set) && random.oneIn(2)
        service.isOverridden = random.oneIn(5)
        service.keepsResolver = random.oneIn(4)
        return service
    }

    private mutating func addCode(_ index: Int, _ random: inout SplitMix) {
        let odds = Int.random(in: 2...4, using: &random)
        for place in isPlain ? [.factory, .completion] : Place.allCases where place == .factory || random.chance(60) {
            if isPlain {
                services[index].code[place] = services.indices.filter { canTake(index, $0) && random.oneIn(odds) }
                    .map { other in plainStep(index, other, at: place, &random) }
            } else {
                let count = [0, 1, 1, 2].randomElement(using: &random) ?? 0
                services[index].code[place] = (0..<count).compactMap { _ in step(index, at: place, &random) }
            }
        }
        if services[index].isAsync || isPlain { return }
        // Only code that is asynchronous can wait for a service that is built asynchronously.
        for place in [Place.factory, .completion] {
            for step in services[index].code[place, default: []].indices {
                services[index].code[place]?[step].isTolerant = true
            }
        }
    }

    /// Whether plain code of one service may take another service: a synchronous service takes only synchronous
    /// services.
    private func canTake(_ index: Int, _ other: Int) -> Bool {
        index != other && (services[index].isAsync || !services[other].isAsync) && (!isOrdered || other < index)
    }

    private func plainStep(_ index: Int, _ other: Int, at place: Place, _ random: inout SplitMix) -> Step {
        var step = Step(action: action(for: other), service: other)
        if services[index].isAsync, place == .factory, random.oneIn(3) { step.way = .childTask }
        return step
    }

    private func action(for service: Int) -> Action {
        services[service].isAsync ? .asynchronous : services[service].isShared ? .shared : .unshared
    }

    /// Returns a step of a service at a place, or nil if there is no service for its action.
    private func step(_ index: Int, at place: Place, _ random: inout SplitMix) -> Step? {
        let possible = Action.allCases.filter { actions.contains($0) && !place.refused.contains($0) }
        let resolves: [Action] = [.shared, .unshared, .asynchronous]
        let action = (random.oneIn(2) ? resolves : possible).randomElement(using: &random) ?? .nothing
        return step(action, services[index].tier, below: isOrdered ? index : nil, &random)
    }

    /// Returns a step with an action of code of a tier.
    private func step(_ action: Action, _ tier: Int, below limit: Int?, _ random: inout SplitMix) -> Step? {
        var step = Step(action: action)
        var targets = services.indices.filter { services[$0].tier == tier && $0 < limit ?? .max }
        switch action {
        case .shared: targets = targets.filter { services[$0].isShared && !services[$0].isAsync }
        case .unshared: targets = targets.filter { !services[$0].isShared && !services[$0].isAsync }
        case .asynchronous: targets = targets.filter { services[$0].isAsync }
        case .drop: targets = targets.filter { !services[$0].isShared && !services[$0].isAsync }
        case .wait: targets = services.indices.filter { services[$0].tier == tier + 1 }
        default: break
        }
        if let target = targets.randomElement(using: &random) {
            step.service = target
        } else if ![.nothing, .throwError, .reset, .set].contains(action) {
            return nil
        }
        step.way = Way.allCases.randomElement(using: &random) ?? .resolver
        step.isTolerant = random.oneIn(2)
        step.reads = random.oneIn(3)
        step.container = Int.random(in: 0..<3, using: &random)
        step.variant = Int.random(in: 0..<60, using: &random)
        return step
    }

    private func root(_ random: inout SplitMix) -> Root {
        var steps: [Step] = []
        for _ in 0..<(isPlain ? 1 : Int.random(in: 1...3, using: &random)) {
            let all = actions.subtracting([.throwError, .wait, .nothing]).sorted { $0.rawValue < $1.rawValue }
            let action = isPlain || random.chance(70) ? nil : all.randomElement(using: &random)
            var step = Step(action: .shared, service: Int.random(in: services.indices, using: &random))
            if let action, let other = self.step(action, 0, below: nil, &random) { step = other }
            if step.action.isResolve { step.action = self.action(for: step.service) }
            (step.way, step.isTolerant, step.reads) = (.container, !isPlain && random.oneIn(2), !isPlain)
            steps.append(step)
        }
        let container = Int.random(in: 0..<3, using: &random)
        return Root(container: container, steps: steps, isCancelled: forTasks && !isPlain && random.oneIn(6))
    }

    /// Adds an action at a place of the first service, and a root that leads to it.
    private mutating func add(_ focus: (place: Place, action: Action), _ random: inout SplitMix) {
        var service = Service(code: services[0].code)
        switch focus.place {
        case .onReplace: service.follows = true
        case .deinitializer: service.kind = .transient
        case .hook: service.kind = .session
        default: break
        }
        services[0] = service
        for place in [Place.factory, .completion] { services[0].code[place] = nil }
        // Code of the first service can take any other one, so that there is one for each action.
        services.append(Service(isAsync: true))
        services.append(Service())
        let tail = services.count - 2
        guard var step = step(focus.action, 0, below: nil, &random) ?? step(.nothing, 0, below: nil, &random) else {
            return
        }
        if step.service == 0 { step.service = tail + 1 }
        if focus.action == .asynchronous { step.service = tail }
        services[0].code[focus.place] = [step]
        let resolve = Step(action: .shared, service: 0, way: .container, isTolerant: true, reads: true)
        var steps = [resolve]
        switch focus.place {
        case .failureHandler: services[0].code[.factory] = [Step(action: .throwError)]
        case .onReplace: steps.append(Step(action: .set))
        case .hook: steps.append(Step(action: .reset))
        case .deinitializer: steps.append(Step(action: .drop))
        default: break
        }
        roots[0] = Root(container: 0, steps: steps)
        actions.formUnion([focus.action, .throwError, .set, .reset, .drop])
    }
}

extension SplitMix {
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

// MARK: - What can happen

extension Program {
    /// The services that the factory of a service takes, and those that its completion takes.
    private func taken(at place: Place, _ service: Int) -> [Int] {
        services[service].code[place, default: []].filter(\.action.isResolve).map(\.service)
    }

    /// Whether a plain program gets an error of a circle for a service: the service leads to a circle of factories, or
    /// to any circle through an asynchronous service. Completions open circles of synchronous services, since they run
    /// later.
    func leadsToCircle(_ root: Int) -> Bool {
        let (needs, takes) = ({ self.taken(at: .factory, $0) }, { self.taken(at: .completion, $0) })
        return reached(from: [root], by: { needs($0) + takes($0) }).contains { service in
            reached(from: needs(service), by: needs).contains(service)
                || services[service].isAsync
                    && reached(from: needs(service) + takes(service), by: { needs($0) + takes($0) }).contains(service)
        }
    }

    private func reached(from roots: [Int], by edges: (Int) -> [Int]) -> Set<Int> {
        var (found, open) = (Set(roots), roots)
        while let next = open.popLast() {
            for other in edges(next) where found.insert(other).inserted { open.append(other) }
        }
        return found
    }

    /// Whether an instance of one service may have taken one of another service in any way.
    func mayTake(_ service: Int, _ other: Int) -> Bool {
        let edges = { (index: Int) -> [Int] in
            let steps = services[index].code.values.joined()
            // What is dropped or closed has code of its own.
            let all = steps.contains { [.drop, .reset, .register, .set, .closeChild].contains($0.action) }
            return all ? Array(services.indices) : steps.map(\.service)
        }
        return reached(from: edges(service), by: edges).contains(other)
    }

    /// Whether a reset or a change of the settings may remove an instance of a service, also while the containers are
    /// being closed: a `deinit` resets, and a former instance of a following service is closed later.
    func mayRemove(_ service: Int) -> Bool {
        services[service].kind == .session && actions.contains(.reset)
            || services[service].follows && actions.contains(.set)
    }

    /// Whether instances are removed, or the registrations change, while services are in use.
    var removesInstances: Bool { !actions.isDisjoint(with: [.register, .reset, .closeChild, .set]) }

    /// Whether code of a service removes instances, so that what its construction has taken may be closed.
    var codeRemovesInstances: Bool {
        let removing: Set<Action> = [.register, .reset, .closeChild, .set, .drop]
        let inRoots = roots.flatMap(\.steps).contains { removing.subtracting([.reset]).contains($0.action) }
        return inRoots || services.contains { $0.code.values.joined().contains { removing.contains($0.action) } }
    }

    /// Whether a resolve or a construction may be cancelled or fail because of something else than a circle.
    var canFail: Bool {
        failing != nil || !actions.isDisjoint(with: [.throwError, .closeChild, .task, .detached, .immediate])
            || roots.contains(where: \.isCancelled)
    }

    /// Whether code that is not plain may need an asynchronous service where it cannot wait for it.
    var mixesKinds: Bool { !isPlain && services.contains(where: \.isAsync) }

    /// The number of steps, by which one looks for the shortest of several programs.
    var size: Int {
        services.reduce(0) { $0 + $1.code.values.reduce(1) { $0 + $1.count } } + roots.reduce(0) { $0 + $1.steps.count }
    }
}

// MARK: - Description

extension Program: CustomStringConvertible {
    var description: String {
        let lines = services.enumerated().map { "  \($0): \($1)" } + roots.map { "  root in \($0)" }
        let kind =
            "\(forTasks ? "tasks" : "threads")\(isSerial ? ", serial" : "")\(isPlain ? ", plain" : "")\(isOrdered ? ", ordered" : "")"
        let fails = failing.map { ", \($0) fails once" } ?? ""
        return "seed \(seed), size \(size), \(kind)\(fails)\n" + lines.joined(separator: "\n")
    }
}

extension Program.Service: CustomStringConvertible {
    var description: String {
        let flags = [
            isAsync ? "async" : nil, hookIsAsync ? "async hook" : nil, follows ? "follows" : nil,
            isOverridden ? "overridden" : nil, keepsResolver ? "keeps its resolver" : nil,
        ]
        let code = Place.allCases.compactMap { place in
            self.code[place].map { "\(place): \($0.map(\.description).joined(separator: " "))" }
        }
        return (["tier \(tier) \(kind)"] + flags.compactMap(\.self) + code).joined(separator: "; ")
    }
}

extension Program.Step: CustomStringConvertible {
    var description: String {
        let target = ![.nothing, .throwError, .reset, .set].contains(action)
        return "\(action)\(target ? " \(service)" : "")\(action.isResolve ? " by \(way)" : "")\(isTolerant ? "?" : "")"
            + "\(reads ? " reads" : "")\(action.isResolve ? "" : " in \(container)") (\(variant))"
    }
}

extension Program.Root: CustomStringConvertible {
    var description: String {
        "\(container)\(isCancelled ? ", cancelled" : ""): \(steps.map(\.description).joined(separator: " "))"
    }
}
