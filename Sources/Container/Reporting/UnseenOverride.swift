import SharedState
import Synchronization

// A child container overrides a service by registering it again. A shared service of a parent depends on the service of
// the parent, and does not see the override. The first resolve of the shared service from the child reports this once,
// and `verify()` of the child reports all of these overrides.

/// A shared service of a parent, and the overridden service that it depends on.
struct UnseenOverride: Hashable, Sendable {
    let holder: ServiceKey
    let dependency: ServiceKey

    var error: ResolutionError {
        ResolutionError(.unseenOverride, path: [holder, dependency])
    }
}

extension Container {
    /// Records whether a registration of this container overrides a registration of a parent.
    func noteOverride(of key: ServiceKey) {
        guard let parent else { return }
        for container in sequence(first: parent, next: \.parent) {
            guard let isGiven = container.registry.withRead({ $0.isGivenByChild(key) }) else { continue }
            if isGiven { return }
            registry.withWrite { $0.life.overrides.checked = [] }
            return overrides.store(true, ordering: .relaxed)
        }
    }

    /// Reports the overrides of this child that a shared instance does not see, each once for the topmost container.
    ///
    /// - Parameter shared: the instance of a parent, which a resolve from this child has found.
    func reportUnseenOverrides(of shared: SharedInstance) {
        if isVerifying || registry.withRead({ $0.life.overrides.checked.contains(shared.id) }) { return }
        guard registry.withWrite({ $0.life.overrides.begin(shared) }),
            let home = sequence(first: self, next: \.parent).first(where: shared.belongs)
        else { return }
        let found = unseenOverrides(of: shared, in: home, andOfWhatItHas: true)
        if found.isEmpty { return }
        let new = topmost.registry.withWrite { registry in
            found.filter { registry.life.overrides.reported.insert($0).inserted }
        }
        for override in new { report(override.error) }
    }

    /// The overrides of this child and its parents that the shared services of the parents do not see.
    ///
    /// - Parameter child: a child of this container, which has instances of these services if it was verified.
    /// - Returns: the overrides, sorted.
    func unseenOverrides(verifiedIn child: Container) -> [UnseenOverride] {
        var found: [UnseenOverride] = []
        for home in sequence(first: self, next: \.parent).dropFirst() {
            for registration in home.ownRegistrations where registration.isShared && !registration.isPerChild {
                let shared = [home, child].lazy.compactMap { container in
                    container.registry.withRead { $0.current(of: registration) }
                }.first
                if let shared { found += unseenOverrides(of: shared, in: home, andOfWhatItHas: false) }
            }
        }
        return Set(found).sorted {
            ($0.holder.description, $0.dependency.description) < ($1.holder.description, $1.dependency.description)
        }
    }

    /// The overrides of this child, and of its parents below a container, that a shared instance of the container does
    /// not see.
    ///
    /// - Parameters:
    ///   - shared: the instance.
    ///   - home: the container that has its registration.
    ///   - isDeep: whether the overrides of the shared instances that it depends on are returned, too.
    /// - Returns: the overrides.
    private func unseenOverrides(
        of shared: SharedInstance, in home: Container, andOfWhatItHas isDeep: Bool
    ) -> [UnseenOverride] {
        let below = Array(sequence(first: self, next: \.parent).prefix { $0 !== home })
        let homes = Array(sequence(first: home, next: \.parent))
        var (found, all, seen, next) = ([UnseenOverride](), [shared], Set([shared.id]), 0)
        while next < all.count {
            let holder = all[next]
            next += 1
            let dependencies = holder.taken.dependencies
            for key in Set(dependencies.map(\.key) + holder.taken.aliases)
            where below.contains(where: { $0.registry.withRead { $0.isGivenByChild(key) == false } })
                && homes.lazy.compactMap({ $0.registry.withRead { $0.isGivenByChild(key) } }).first == false
            {
                found.append(UnseenOverride(holder: holder.key, dependency: key))
            }
            guard isDeep else { continue }
            for dependency in dependencies {
                guard let home = homes.first(where: dependency.belongs),
                    let found = home.registry.withRead({ $0.current(withID: dependency.id, of: dependency.key) })
                else { continue }
                if seen.insert(found.id).inserted { all.append(found) }
            }
        }
        return found
    }
}

/// The overrides that a container has checked and reported.
struct OverrideChecks {
    /// The shared instances of parents that were checked for overrides of this child that they do not see.
    var checked: Set<UInt64> = []
    /// The unseen overrides that were reported, for all children.
    var reported: Set<UnseenOverride> = []
    /// The maximum number of checked instances that a child remembers. Each instance of a weak scope has another `id`.
    private static let limit = 1_000

    /// Records that a shared instance of a parent is checked for overrides.
    ///
    /// - Returns: whether that is the first check, as far as it is remembered. A second check reports nothing again.
    fileprivate mutating func begin(_ shared: SharedInstance) -> Bool {
        if checked.count == Self.limit { checked = [] }
        return checked.insert(shared.id).inserted
    }
}

extension Container {
    /// Reports the services that keep an instance of this container although its service is registered again.
    func reportHolders(of held: SharedInstance) {
        let users = registry.withRead { $0.life.closing.toClose }.filter {
            $0.taken.dependencies.contains { $0.isHeld && $0.id == held.id }
        }
        let holders = Set(users.map { names.text(of: $0.key) }).sorted()
        if holders.isEmpty { return }
        report(ResolutionError(.registeredLate, path: [held.key], detail: holders.joined(separator: ", ")))
    }
}

extension Container {
    /// The number of shared instances of parents that this child remembers as checked for overrides, for tests.
    package var checkedForOverrides: Int { registry.withRead { $0.life.overrides.checked.count } }
}
