// Explores the models of `SharedState`, with the orderings that its sources use and with each of them weakened.
//
//     swift run -c release --package-path Tests/Models models
//
// It fails if an execution uses a released object or has a data race, or if a weaker ordering or a mistake goes
// unnoticed.

import Explorer
import Foundation

let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Sources/SharedState")
let orderings = try Orderings(sources: folder)
var report = Report()
report.exploreLitmusTests()
report.exploreModels(orderings)
report.exploreMutations(orderings)
report.exploreMistakes(orderings)
exit(report.hasFailed ? 1 : 0)
