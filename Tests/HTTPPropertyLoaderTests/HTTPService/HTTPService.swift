import Container
import Foundation
import HTTPPropertyLoader

/// Loads a URL, and prints the properties or the error, and then the memory in KB that the load needed at most.
///
/// With a number after the URL, it loads the URL so often, and prints how many more files are open after that than after
/// the first load.
@main
struct HTTPService {
    static func main() async throws {
        let url = URL(string: CommandLine.arguments[1])!
        // A first request, so that libraries and threads are not counted.
        _ = try? await HTTPPropertyLoader(url: URL(string: "http://127.0.0.1:1/")!).load()
        let before = try memory("VmRSS")
        if CommandLine.arguments.count > 2, let count = Int(CommandLine.arguments[2]) {
            return print(try await openFiles(after: count, of: HTTPPropertyLoader(url: url)))
        }
        let container = Container()
        do {
            try await container.start([HTTPPropertyLoader(url: url, timeout: .seconds(5))])
            for entry in container.properties.entries { print(entry) }
        } catch {
            print(error)
        }
        print(try memory("VmHWM") - before)
    }

    private static func openFiles(after count: Int, of loader: HTTPPropertyLoader) async throws -> Int {
        var numbers: [Int] = []
        for index in 0..<count {
            _ = try await loader.load()
            if index == 0 || index == count - 1 {
                numbers.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
            }
        }
        return (numbers.last ?? 0) - (numbers.first ?? 0)
    }

    /// Returns a number of KB from the status of the process.
    private static func memory(_ name: String) throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("\(name):") }?.split { $0 == " " || $0 == "\t" } ?? []
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
