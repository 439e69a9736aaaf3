import Foundation

/// Listens on a port of this machine.
///
/// - Parameter port: the port, or 0 for one that is free.
/// - Returns: the port.
/// - Throws: an error if the port is in use.
func listen(on port: UInt16) throws -> UInt16 {
    #if canImport(Darwin)
        let socket = socket(AF_INET, SOCK_STREAM, 0)
    #else
        let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe bind(socket, address, size) == 0 && Foundation.listen(socket, 1) == 0
                && getsockname(socket, address, &size) == 0
        }
    }
    guard isListening else { throw Failure(description: "port \(port): \(unsafe String(cString: strerror(errno)))") }
    return UInt16(bigEndian: address.sin_port)
}

/// Opens a file, as a connection is opened, prints something, and writes to another file what the descriptors lead to.
func openFile() {
    let descriptor = unsafe open("opened", O_CREAT | O_WRONLY, 0o600)
    print("printed by the body, more than eight bytes")
    fflush(nil)
    let names = [0, 1, 2, descriptor].map { number in
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return path.map { $0.hasSuffix("/opened") ? "opened" : $0 } ?? "closed"
    }
    try? Data(names.joined(separator: " ").utf8).write(to: URL(filePath: "descriptors"))
}

/// Lets the process write files of any size when the file `go` exists.
func raiseFileSize() async throws {
    while !FileManager.default.fileExists(atPath: "go") { try await Task.sleep(for: .milliseconds(10)) }
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    guard unsafe setrlimit(resource, &limit) == 0 else { return }
    print("there is space")
}

/// Writes to a pipe without a reader, and returns what happened.
func writeToClosedPipe() -> String {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return "no pipe" }
    close(ends[0])
    var byte: UInt8 = 0
    let count = unsafe write(ends[1], &byte, 1)
    return count < 0 && errno == EPIPE ? "the pipe is closed" : "written"
}
