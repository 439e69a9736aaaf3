import Measuring
import Container
import Foundation

/// Reloads a store of 100 keys while another thread reads it, and prints the resident memory.
enum Reloads {
    private struct Hundred: PropertyLoader {
        let round: Int
        func load() -> PropertyLayer {
            let settings = (0..<100).map { ("setting_\($0)", PropertyValue.integer(Int64(round + $0))) }
            return ["service": .table(PropertyTable(settings))]
        }
    }

    static func run(_ count: Int) throws {
        let store = PropertyStore()
        let child = PropertyStore(parent: store)
        try child.apply(Other())
        let reader = Thread {
            var sum = 0
            while !Thread.current.isCancelled { sum &+= child.property("service.setting_7") ?? 0 }
            consume(sum)
        }
        reader.start()
        for step in 0...4 {
            if step > 0 {
                for round in 0..<count / 4 { try store.apply(Hundred(round: round)) }
            }
            print("  after \(count / 4 * step) reloads: \(residentKilobytes()) kB")
        }
        reader.cancel()
    }

    private static func residentKilobytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4
    }
}
