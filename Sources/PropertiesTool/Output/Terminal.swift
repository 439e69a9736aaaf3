import Foundation

/// A terminal that a standard stream of the tool is connected to.
package struct Terminal: Sendable {
    /// The number of columns to use if the terminal does not report its size.
    private static let defaultColumns = 80
    /// The smallest number of columns that leaves room for a table.
    private static let fewestColumns = 20

    /// The terminal of standard output, or nil if it is a file or a pipe.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    /// The terminal of standard error, or nil if it is a file or a pipe.
    static let errors = Terminal(descriptor: STDERR_FILENO)

    /// The width in cells.
    let columns: Int
    private let hasColors: Bool

    /// Creates a terminal.
    ///
    /// - Parameters:
    ///   - columns: the width in cells.
    ///   - hasColors: whether text may be styled.
    package init(columns: Int, hasColors: Bool) {
        self.columns = max(columns, Self.fewestColumns)
        self.hasColors = hasColors
    }

    private init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let variables = ProcessInfo.processInfo.environment
        // https://no-color.org: any value that is not empty turns colours off.
        let refusesColors = variables["NO_COLOR"]?.isEmpty == false || variables["TERM"] == "dumb"
        self.init(columns: isKnown ? Int(size.ws_col) : Self.defaultColumns, hasColors: !refusesColors)
    }

    /// A style of text.
    package enum Style: Int, Sendable {
        // The numbers are parameters of the control function SGR (ECMA-48, 8.3.117).
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// Returns text in a style, or unchanged if the terminal has no colours.
    func styled(_ text: String, _ style: Style?) -> String {
        guard hasColors, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}
