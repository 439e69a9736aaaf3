import Foundation
import PropertyLoaders
import SharedState

/// Prints the problems of watched sources when they change, and when there are none any more.
final class WatchedHealth: Sendable {
    private let store: PropertyStore
    private let schema: SchemaKeys?
    /// The reports of the problems that were printed last.
    private let known = Guarded<[PropertyKey]>([])

    /// Creates the health of sources that have no problem yet.
    init(of store: PropertyStore, _ schema: SchemaKeys?) {
        (self.store, self.schema) = (store, schema)
    }

    /// The local time of day, such as `14:05:09`.
    static var time: String {
        Date().formatted(
            .verbatim(
                "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
                timeZone: .current, calendar: Calendar(identifier: .gregorian)))
    }

    /// Prints the problems after a reload.
    ///
    /// - Parameter failure: the error of the reload, or nil if it succeeded.
    func report(_ failure: (any Error)?) {
        let findings = failure.map { Finding.findings(of: $0) } ?? checked
        let reports = findings.map { PropertyKey($0.report) }
        let former = known.withLock { known in
            defer { known = reports }
            return known
        }
        if reports == former { return }
        for finding in findings { Output.error("\(Self.time) \(finding.report)") }
        if reports.isEmpty { Output.error("\(Self.time) the sources are valid again") }
    }

    private var checked: [Finding] {
        guard let schema else { return [] }
        let findings = Finding.findings(in: store, refusesUnknownKeys: schema.refusesUnknownKeys)
        return CheckReport(files: [], findings: findings, sources: []).findings
    }
}
