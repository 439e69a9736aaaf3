import Synchronization

/// A standard stream as a sequence of lines.
///
/// If the disk of its file is full for a while, a line may be written by half. No other line follows it before its rest, or
/// a line break, is written. Lines of which nothing was written are lost, and counted.
package final class LineStream: Sendable {
    package static let output = LineStream(1), errors = LineStream(2)

    /// Lines that could not be written.
    package struct Loss: Sendable, Equatable {
        package let count: Int
        /// What the system says of the last of them.
        package let cause: String
    }

    private let descriptor: Int32
    // A thread holds the lock while it waits for the reader of a pipe. Others would wait for the same reader.
    private let state = Guarded(State())
    private let isInLine = Atomic(false)

    private struct State {
        /// The bytes of a line that are not written, if its beginning is.
        var rest: ArraySlice<UInt8> = []
        /// The number of lines that are lost without the rest.
        var restCount = 0
        /// The size of the file at the beginning of the rest.
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
    ///   - count: the number of lines that are lost without this one.
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
    @discardableResult
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
