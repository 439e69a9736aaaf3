// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Swift's modules for the C libraries add to them.
@_exported import CNames

public var errno: Int32 {
    get { 0 }
    set {}
}
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IWOTH: mode_t { 0o000002 }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }

public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }

#if os(macOS)
    public var stdout: OpaquePointer {
        get { fatalError() }
        set {}
    }
#endif
