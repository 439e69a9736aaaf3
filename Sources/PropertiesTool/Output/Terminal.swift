import Foundation

/// What a standard stream of the tool is connected to.
struct Terminal {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let errors = Terminal(descriptor: STDERR_FILENO)

    /// Whether the stream is a terminal, and not a file or a pipe.
    let isTerminal: Bool
    private let hasColors: Bool

    private init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        let variables = ProcessInfo.processInfo.environment
        // https://no-color.org: any value that is not empty turns colours off.
        hasColors = isTerminal && variables["NO_COLOR"]?.isEmpty != false && variables["TERM"] != "dumb"
    }

    /// A style of text.
    enum Style: Int {
        // The numbers are parameters of the control function SGR (ECMA-48, 8.3.117).
        case bold = 1
        case faint = 2
        case red = 31
        case yellow = 33
    }

    /// Returns text in a style, or unchanged if the stream has no colours.
    func styled(_ text: String, _ style: Style?) -> String {
        guard hasColors, let style else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}
