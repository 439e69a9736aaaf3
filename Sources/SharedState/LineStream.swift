import Synchronization

/// A standard stream as a sequence of lines.
///
/// If the disk of its file is full for a while, a line may be written in part. The next line is written only after the
/// rest of that line, or after a line break. Lines of which nothing was written are lost, and counted.
package final class LineStream: Sendable {
    package static let output = LineStream(1), errors = LineStream(2)

    /// Lines that could not be written.
    package struct Loss: Sendable, Equatable {
        package let count: Int
        /// The system's message for the error that lost the last of them.
        package let cause: String
    }

    private let descriptor: Int32
    // A thread holds the lock while it waits for the reader of a pipe. Others would wait for the same reader.
    private let state = Guarded(State())
    /// Whether `State.rest` is not empty, for `tryWrite`, which must not wait for the lock.
    private let isInLine = Atomic(false)

    private struct State {
        /// The bytes of the last line that are still to be written, if only its beginning was written.
        var rest: ArraySlice<UInt8> = []
        /// The number of lines that count as lost if the rest cannot be written.
        var restCount = 0
        /// The size of the file when its last write ended before the rest.
        var size = 0
        var lost = 0
        var error: Int32 = 0

        var loss: Loss? { lost > 0 ? Loss(count: lost, cause: Descriptor.message(of: error)) : nil }
    }

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line. It waits while nobody reads the stream. If the stream cannot be written, the line is lost.
    ///
    /// - Parameters:
    ///   - line: the line without its end.
    ///   - count: the number of lines that count as lost if this one cannot be written: one, or as many as it reports.
    ///   - report: returns a line about the lines that were lost before, which precedes the line. Without it, they are
    ///     counted further.
    /// - Returns: whether the whole line is written.
    @discardableResult
    package func write(_ line: String, for count: Int = 1, report: ((Loss) -> String)? = nil) -> Bool {
        guard Descriptor.isStream(descriptor) else { return true }
        return state.withLock { state in
            defer { isInLine.store(!state.rest.isEmpty, ordering: .relaxed) }
            if finish(&state, report) { return put(Array("\(line)\n".utf8)[...], count, &state) }
            state.lost += count
            return false
        }
    }

    /// Writes the rest of the last line, if there is one, and the report of lost lines.
    package func finish(report: ((Loss) -> String)? = nil) {
        guard Descriptor.isStream(descriptor) else { return }
        state.withLock { state in
            _ = finish(&state, report)
            isInLine.store(!state.rest.isEmpty, ordering: .relaxed)
        }
    }

    /// Returns the lines that were lost. They are not counted any more.
    package func takeLoss() -> Loss? {
        state.withLock { state in
            defer { state.lost = 0 }
            return state.loss
        }
    }

    /// Writes a line unless that would block, because nobody reads the stream.
    package func tryWrite(_ line: String) {
        // A pipe that is ready takes this many bytes at once.
        let text = (isInLine.load(ordering: .relaxed) ? "\n" : "") + "\(line)\n"
        if Descriptor.isReady(descriptor, within: 0) {
            _ = Descriptor.write(Array(text.utf8.prefix(512))[...], to: descriptor)
        }
    }

    /// Writes the rest of the last line, and the report of lost lines.
    ///
    /// - Returns: whether the next line can begin.
    private func finish(_ state: inout State, _ report: ((Loss) -> String)?) -> Bool {
        if !state.rest.isEmpty, Descriptor.size(of: descriptor) != state.size { breakLine(&state) }
        if !state.rest.isEmpty, !put(state.rest, state.restCount, &state) { return false }
        guard let report, let loss = state.loss else { return true }
        state.lost = 0
        return put(Array("\(report(loss))\n".utf8)[...], loss.count, &state)
    }

    /// Gives up a line, because its file was emptied after its beginning, or another program has written to it.
    private func breakLine(_ state: inout State) {
        state.lost += state.restCount
        state.restCount = 0
        state.size = Descriptor.size(of: descriptor)
        state.rest = state.size == 0 ? [] : [UInt8(ascii: "\n")]
    }

    /// Writes a line or a rest.
    ///
    /// - Returns: whether all of it is written.
    private func put(_ bytes: ArraySlice<UInt8>, _ count: Int, _ state: inout State) -> Bool {
        let isRest = !state.rest.isEmpty
        let (written, error) = Descriptor.write(bytes, to: descriptor)
        state.rest = []
        if written == bytes.count { return true }
        state.error = error
        // The next reader of a pipe has not seen the beginning.
        if written == 0 && !isRest || Descriptor.hasNoReader(error) {
            state.lost += count
        } else {
            (state.rest, state.restCount) = (bytes.dropFirst(written), count)
            state.size = Descriptor.size(of: descriptor)
        }
        return false
    }
}
