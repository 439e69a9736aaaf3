import Foundation
import Testing

/// An nginx of its own on this machine, with its files in a folder that is removed with it.
final class NginxServer {
    struct Failure: Error { let message: String }

    let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
    private let port: Int
    private var process: Process?

    /// The address without a slash at its end, such as `http://127.0.0.1:8080`.
    var url: String { "http://127.0.0.1:\(port)" }
    /// The same with TLS, if there is a certificate.
    let secureURL: String

    /// Starts an nginx.
    ///
    /// - Parameters:
    ///   - files: the files that it serves, by name.
    ///   - locations: lines of its configuration for the server.
    ///   - isSecure: whether it also listens with the certificate `server.pem` and the key `server.key` of its folder.
    /// - Throws: an error if it cannot be started.
    init(_ files: [String: String] = [:], locations: String = "", isSecure: Bool = false) async throws {
        let ports = try freePorts(2)
        port = ports[0]
        secureURL = "https://localhost:\(ports[1])"
        try FileManager.default.createDirectory(
            at: folder.appending(path: "root"), withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
        if isSecure { try makeCertificates() }
        let secure =
            isSecure
            ? "listen 127.0.0.1:\(ports[1]) ssl; ssl_certificate server.pem; ssl_certificate_key server.key;" : ""
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
        let configuration = """
            daemon off; master_process off; pid nginx.pid; error_log error.log;
            events {}
            http {
                \(paths.joined(separator: " "))
                types { application/json json; }
                default_type text/plain;
                log_format short '$status $request_uri $http_authorization';
                access_log \(folder.path)/access.log short;
                server {
                    listen 127.0.0.1:\(port);
                    \(secure)
                    root \(folder.path)/root;
                    \(locations)
                }
            }
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        try await start()
    }

    deinit {
        if let process, process.isRunning { _ = signalled(process.processIdentifier) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it again with the same files.
    func start() async throws {
        let process = Process()
        process.executableURL = Neighbour.path(of: "nginx")
        process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        self.process = process
        for _ in 0..<1200 where process.isRunning {
            if isListening(port) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(message: try String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8))
    }

    /// Ends it at once, in the middle of whatever it does.
    func kill() async throws {
        guard let process, process.isRunning else { return }
        _ = signalled(process.processIdentifier)
        try await wait { !process.isRunning }
    }

    /// Replaces a file that it serves.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: "root/\(name)"), options: .atomic)
    }

    /// One line for each request: the status, the path, and the header `Authorization`.
    var requests: [String] {
        let log = try? String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
        return log?.split(separator: "\n").map(String.init) ?? []
    }

    /// Writes an authority `ca.pem`, and a certificate of it for `localhost`.
    private func makeCertificates() throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try openssl(["req", "-x509", "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem"] + key)
        try openssl(
            ["req", "-x509", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-CA", "ca.pem"]
                + ["-CAkey", "ca.key", "-keyout", "server.key", "-out", "server.pem"] + key)
    }

    private func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = Neighbour.path(of: "openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(message: "openssl \(arguments)") }
    }
}

private func signalled(_ process: Int32) -> Int32 { kill(process, SIGKILL) }

/// The address of a port on this machine.
private func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
}

/// Calls a function of the system with an address.
private func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: loopback(port)) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

private func makeSocket() -> Int32 {
    #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
        socket(AF_INET, SOCK_STREAM, 0)
    #endif
}

/// Returns a socket that is bound to a free port, and the port.
func boundSocket() throws -> (socket: Int32, port: Int) {
    let descriptor = makeSocket()
    var address = sockaddr_in(), size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withAddress(0, { bind(descriptor, $0, $1) }) == 0 else {
        throw NginxServer.Failure(message: "no free port")
    }
    _ = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}

/// Returns ports that were free a moment ago.
private func freePorts(_ count: Int) throws -> [Int] {
    let bound = try (0..<count).map { _ in try boundSocket() }
    defer { for socket in bound { close(socket.socket) } }
    return bound.map(\.port)
}

private func isListening(_ port: Int) -> Bool {
    let descriptor = makeSocket()
    defer { close(descriptor) }
    return withAddress(port) { connect(descriptor, $0, $1) } == 0
}
