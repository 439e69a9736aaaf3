import Properties

/// The mount points of this process, and the devices of remote file systems.
package struct MountTable {
    /// The types of file systems on which other machines can change files, which the kernel does not report. The names
    /// are those in `/proc/self/mountinfo`. Names of FUSE file systems, which begin with "fuse", are not listed here.
    private static let remoteTypes: Set<String> = [
        "9p", "afs", "ceph", "cifs", "lustre", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs",
    ]
    /// The limit on the size of the list of mounts, in bytes.
    private static let sizeLimit = 8 << 20

    private var remoteDevices: Set<UInt64> = []
    private var points: Set<PropertyKey> = []

    /// Reads the list of mounts.
    ///
    /// - Throws: the error if the list cannot be read.
    init() throws(FileDiagnostic) {
        let bytes = try RegularFile.bytes(at: "/proc/self/mountinfo", limit: Self.sizeLimit)
        self.init(mounts: String(decoding: bytes, as: UTF8.self))
    }

    // The format of a line: number, parent, major:minor, root, mount point, options, optional fields, "-", type, …
    package init(mounts: String) {
        for line in mounts.parts(between: "\n") {
            let fields = line.parts(between: " ")
            guard let dash = fields.firstIndex(where: { $0.isSame(as: "-") }), dash >= 6, dash + 1 < fields.count else {
                continue
            }
            points.insert(PropertyKey(Self.unescaped(fields[4])))
            let type = String(fields[dash + 1])
            guard Self.remoteTypes.contains(type) || type.begins(with: "fuse") else { continue }
            let numbers = fields[2].parts(between: ":").compactMap { UInt64($0) }
            if numbers.count == 2 { remoteDevices.insert(Self.device(major: numbers[0], minor: numbers[1])) }
        }
    }

    /// Whether a directory or file is on a file system whose changes the kernel does not report.
    package func isRemote(_ path: String) -> Bool {
        guard !remoteDevices.isEmpty else { return false }
        do throws(FileDiagnostic) {
            return try System.status(at: path).map { remoteDevices.contains($0.device) } ?? false
        } catch {
            // The file system is unknown. It is treated as remote, since polling works on all file systems.
            return true
        }
    }

    /// Whether something is mounted at an absolute path without links.
    package func isMountPoint(_ path: String) -> Bool { points.contains(PropertyKey(path)) }

    // Encodes a device number like `gnu_dev_makedev` in the C library.
    private static func device(major: UInt64, minor: UInt64) -> UInt64 {
        (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | (minor & 0xFF) | (minor & ~0xFF) << 12
    }

    // Decodes escapes: the list has `\` and three octal digits for a space, a tab, a line break and a backslash.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = field.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, let value = UInt8(String(Substring(digits)), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
