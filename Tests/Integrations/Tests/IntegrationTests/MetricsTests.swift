import Container
import Metrics
import MetricsTestKit
import PropertyLoaders
import Testing

struct SettingsMetrics {
    let states = Gauge(label: "settings_states")
    let refused = Gauge(label: "settings_refused")
    let pendingRestart = Gauge(label: "settings_pending_restart")
    let stale = Gauge(label: "settings_stale_seconds")

    func record(_ status: StoreStatus) {
        states.record(status.states)
        refused.record(status.refusal == nil ? 0 : 1)
        pendingRestart.record(status.pendingRestart.count)
        let failing = status.sources.compactMap { $0.failure?.since }.min()
        stale.record(failing.map { (.now - $0) / .seconds(1) } ?? 0)
    }
}

@Suite("swift-metrics")
struct MetricsTests {
    @Test("The status of the store is four gauges")
    func gauges() throws {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        let store = PropertyStore()
        store.declare(TypedKey<Int>("port", default: 1))
        try store.apply(TomlPropertyLoader(string: "port = 2", name: "config.toml"))
        SettingsMetrics().record(store.status)
        let values = try ["states", "refused", "pending_restart", "stale_seconds"].map { name in
            try #require(metrics.expectGauge("settings_\(name)").lastValue)
        }
        #expect(values == [2, 0, 0, 0])
    }
}
