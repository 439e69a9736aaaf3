import Container

extension World {
    /// Runs the steps of a root on this thread.
    func run(_ root: Program.Root) {
        for step in root.steps {
            if step.action.isResolve {
                pass()
                do throws(ResolutionError) {
                    let container = containers[root.container]
                    let node: Node
                    if step.isTolerant {
                        guard let found = container.resolve(Node.self, name: "\(step.service)") else { continue }
                        node = found
                    } else {
                        node = try container.require(Node.self, name: "\(step.service)")
                    }
                    end(step, nil)
                    look(at: node, in: root.container, step)
                } catch {
                    end(step, error)
                }
            } else {
                _ = try? perform(step, at: nil, of: 0, in: root.container, nil)
            }
        }
    }

    /// Runs the steps of a root in this task.
    func runInTask(_ root: Program.Root) async {
        for step in root.steps {
            await passInTask()
            if step.action.isResolve {
                do throws(ResolutionError) {
                    let node = try await containers[root.container].require(async: Node.self, name: "\(step.service)")
                    end(step, nil)
                    look(at: node, in: root.container, step)
                } catch {
                    end(step, error)
                    let mayCancel = root.isCancelled || program.actions.contains(.closeChild)
                    check(error.reason != .cancelled || mayCancel, "a task that runs got \(error)")
                }
            } else if step.action == .closeChild {
                await containers[1 + step.variant % 2].close(timeout: .seconds(100_000))
            } else {
                _ = try? await perform(step, at: nil, of: 0, in: root.container, nil as AsyncResolver?)
            }
        }
    }

    /// Checks the end of a root's resolve.
    private func end(_ step: Program.Step, _ error: ResolutionError?) {
        if program.isPlain, program.failing == nil {
            let isCircle = program.leadsToCircle(step.service)
            check(
                (error?.reason == .circular) == isCircle && (error != nil) == isCircle, "root \(step): \(error as Any)")
        }
        guard let error else { return }
        errors.add(error)
        let isCalm = !program.canFail && !program.removesInstances && !program.actions.contains(.drop)
        if program.isOrdered, isCalm, !program.mixesKinds {
            check(false, "root \(step) of an ordered program: \(error)")
        }
    }
}
