import SharedState
import Synchronization

/// A thread that resolves: the factories, completions and hooks that run on it. It is reached only from its own thread.
final class ResolvingThread {
    /// The innermost of the frames that run, or nil.
    private(set) var frame: Frame?
    /// The running frames, and the graphs of factories and completions.
    private var running: [(frame: Frame, graph: Graph?)] = []
    /// The construction that the thread runs, or nil.
    var construction: Construction?

    /// Identifies the task that runs on the thread. It is 0 if no task runs.
    private var task: UInt = 0
    /// The part of the thread for a task that began in the middle of this task, by `Task.immediate`.
    private var inner: ResolvingThread?
    private unowned let outer: ResolvingThread?

    private init(inside outer: ResolvingThread? = nil) { self.outer = outer }

    /// The stack, known from the time when a factory first led to another factory here.
    private lazy var stack: ThreadStack? = outer.map { $0.stack } ?? .ofCurrentThread()

    /// The maximum number of levels on a thread whose stack is not known, or on another stack. A thread of 512 KiB has room
    /// for more.
    private static let maximumLevels = 50
    /// The part of a stack that is left to a factory, in bytes, if the stack has four times as many.
    private static let reserve: UInt = 128 << 10

    /// Whether the stack has room for a factory on a level of the path of services, and for the functions that it
    /// calls.
    func hasRoom(onLevel level: Int) -> Bool {
        if level == 1 { return true }
        guard let stack, let left = CurrentThread.bytesLeft(of: stack) else { return level <= Self.maximumLevels }
        return left >= min(Self.reserve, stack.size / 4)
    }

    private static let key = Atomic<UInt>(0)
    /// The key of the same object while something runs on the thread. Each lookup reads it, and it is mostly nil.
    private static let runningKey = Atomic<UInt>(0)

    /// The object of this thread, or of the current task on this thread if the task is in the middle of another task.
    static var current: ResolvingThread {
        ThreadLocal.object(key) { ResolvingThread() }.part(of: currentTask)
    }

    /// The same object, for a caller with a resolver of a frame, or without a frame. If the frame is the innermost of
    /// the thread, the task need not be determined.
    static func current(for frame: Frame?) -> ResolvingThread {
        let thread = ThreadLocal.object(key) { ResolvingThread() }
        // A task that began in the middle of the frame cannot have the resolver of the frame.
        if let frame, thread.frame === frame { return thread }
        return thread.part(of: currentTask)
    }

    /// The innermost frame that runs on this thread in the current task, or nil.
    static var currentFrame: Frame? {
        ThreadLocal.existing(runningKey, as: ResolvingThread.self).flatMap { $0.part(of: currentTask).frame }
    }

    /// The address of the current task. The task itself must not be kept: it may be gone when it is released here.
    private static var currentTask: UInt {
        unsafe withUnsafeCurrentTask { unsafe unsafeBitCast($0, to: UInt.self) }
    }

    /// The part for a task: this one if it has the task, or is idle and takes it over; otherwise the part inside.
    private func part(of task: UInt) -> ResolvingThread {
        if frame == nil, construction == nil { self.task = task }
        if self.task == task { return self }
        let inner = inner ?? ResolvingThread(inside: self)
        self.inner = inner
        return inner.part(of: task)
    }

    /// The constructions that wait if this thread waits: its own, and the constructions in whose middle its task began,
    /// which cannot become one with others.
    var constructions: [(Construction, canMerge: Bool)] {
        var all = construction.map { [($0, canMerge: true)] } ?? []
        var next = outer
        while let thread = next {
            if let construction = thread.construction { all.append((construction, canMerge: false)) }
            next = thread.outer
        }
        return all
    }

    /// Runs a factory, a completion, or a hook that has no graph.
    func run<Result>(_ frame: Frame, in graph: Graph? = nil, _ body: () throws -> Result) throws -> Result {
        let former = self.frame
        self.frame = frame
        running.append((frame, graph))
        // A part for a task in the middle of another task need not set it: the outer part has set it.
        if former == nil, outer == nil { ThreadLocal.set(self, for: Self.runningKey) }
        defer {
            running.removeLast()
            self.frame = former
            if former == nil, outer == nil { ThreadLocal.set(nil as ResolvingThread?, for: Self.runningKey) }
            frame.deactivate()
        }
        return try body()
    }

    /// Releases the remains of a shared instance that has failed, in a frame of its closing.
    func release(_ shared: SharedInstance, of container: Container, _ body: () -> Void) {
        try? run(Frame(shared.registration, for: container, after: frame ?? .activeInTask, .closing)) { body() }
    }

    /// The resolver of the innermost factory or completion in the graph of a deferred service, or nil if none runs.
    func resolver(for service: DeferredService) -> Resolver? {
        guard let (frame, graph) = running.last(where: { $0.graph?.contains(service) == true }) else { return nil }
        return Resolver(container: service.container, frame: frame, graph: graph)
    }
}
