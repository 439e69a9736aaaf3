import Container
import Dispatch
import Foundation
import TestSupport

/// One run of a program, and the checks of its end.
final class Trial {
    /// What is wrong, if anything.
    private(set) var wrong: [String] = []
    /// The errors that the roots have got.
    private(set) var errors: [ResolutionError] = []
    private let program: Program
    private let patience: Double
    /// The tasks that outlive everything else wait here. They keep nothing alive.
    private let last = Gate()

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - patience: the seconds after which it hangs.
    init(_ program: Program, patience: Double) { (self.program, self.patience) = (program, patience) }

    /// Runs the program.
    ///
    /// - Parameter counts: counts what its code does.
    /// - Returns: false if it hangs.
    func run(_ counts: PairCounts) async -> Bool {
        weak var left: World?
        weak var container: Container?
        var lives: [Life] = []
        do {
            let world = World(program, counts, last: last)
            (left, container) = (world, world.root)
            let hasEnded = await use(world)
            wrong += world.wrong.all
            errors = world.errors.all
            if !hasEnded {
                wrong.append("hangs: \(world.steps.description)")
                return false
            }
            lives = world.lives.all
        }
        let isReleased =
            ProcessInfo.processInfo.environment["GRAPH_LEAKS"] != nil
            ? true
            : await holds(within: patience) {
                // A task that has left the activities releases its last objects afterwards. A `deinit` of them may still
                // build an unshared service that takes itself.
                left?.release()
                return left == nil && container == nil && lives.allSatisfy(\.isOver)
            }
        if !isReleased {
            let alive = lives.filter { !$0.isOver }.map { "\($0.index)" }
            wrong.append("alive after close: \(alive), containers \(container != nil), world \(left != nil)")
        }
        last.open()
        return true
    }

    /// Runs the roots, closes the containers, and returns false if that hangs.
    private func use(_ world: World) async -> Bool {
        for (number, root) in program.roots.enumerated() {
            world.activities.enter()
            if program.forTasks {
                let task = Task.detached {
                    await world.runInTask(root)
                    world.activities.leave()
                }
                if root.isCancelled { task.cancel() }
            } else {
                let body = { @Sendable in
                    world.run(root)
                    world.activities.leave()
                }
                program.isSerial ? world.turnstile.start(number, body) : Thread(block: body).start()
            }
        }
        if program.isSerial {
            let seed = program.seed
            Thread {
                var random = SplitMix(state: seed)
                world.turnstile.run { $0.sorted().randomElement(using: &random) }
            }.start()
        }
        guard await ends(world) else { return false }
        while world.containers.contains(where: \.isReplacing) {
            world.activities.enter()
            Task.detached {
                for container in world.containers { await container.settled() }
                world.activities.leave()
            }
            guard await ends(world) else { return false }
        }
        let (lastClosing, lastLife) = (world.closingCount, world.lives.all.count)
        world.activities.enter()
        Task.detached {
            await world.close()
            world.activities.leave()
        }
        guard await ends(world) else { return false }
        checkFactories(world.lives.all)
        // Without a reset that closes what others have taken or are building from, every closing is in order.
        let isOrdered = !program.isRandom && (program.roots.count == 1 || !program.actions.contains(.reset))
        checkClosing(world.lives.all, after: isOrdered ? 0 : lastClosing, lastLife)
        world.release()
        return true
    }

    private func ends(_ world: World) async -> Bool {
        await offPool { [patience] in world.activities.wait(timeout: .now() + patience) == .success }
    }

    // MARK: Checks

    private func check(_ isRight: Bool, _ text: @autoclosure () -> String) { if !isRight { wrong.append(text()) } }

    /// Checks that the factory of each claim has run once.
    private func checkFactories(_ lives: [Life]) {
        if program.removesInstances || program.canFail || program.mixesKinds { return }
        // A factory that fails because of a circle runs again for the next caller.
        if program.services.indices.contains(where: program.leadsToCircle) { return }
        for (index, service) in program.services.enumerated() where service.kind == .container {
            let count = lives.count { $0.index == index }
            check(count <= (service.isOverridden ? 2 : 1), "\(index) was made \(count) times")
        }
    }

    /// Checks that each instance is closed once, and by the last `close` before what it has taken, unless that may have
    /// taken it in turn. A child that code makes while its parent is closed is not closed first, so the order of what is
    /// built from then on is not checked.
    private func checkClosing(_ lives: [Life], after start: Int, _ lastLife: Int) {
        for life in lives where program.services[life.index].isKept {
            let (now, place) = (life.now, life.now.closings.last ?? 0)
            let isRight =
                !life.isFirstRegistration && now.closings.isEmpty || now.closings.count == (now.isBuilt ? 1 : 0)
            check(isRight, "\(life.index) was closed \(now.closings.count) times")
            if place <= start || life.serial >= lastLife { continue }
            for part in now.dependencies
            where !program.mayTake(part.index, life.index) && !(program.isRandom && program.mayRemove(part.index)) {
                let other = part.now.closings.last ?? .max
                if other > start { check(place < other, "\(life.index) was closed after \(part.index)") }
            }
        }
    }
}
