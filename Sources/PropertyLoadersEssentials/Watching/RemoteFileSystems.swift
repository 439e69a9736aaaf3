/// The file systems whose changes the kernel does not tell of, since another machine makes them.
package struct RemoteFileSystems {
    /// Their types, as `/proc/self/mountinfo` names them; those of FUSE begin with "fuse".
    private static let types: Set<String> = [
        "9p", "afs", "ceph", "cifs", "lustre", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs",
    ]
    /// The greatest size of the list of mounts that is read, in bytes.
    private static let sizeLimit = 8 << 20

    private var devices: Set<UInt64> = []

    /// Looks which file systems are mounted.
    init() {
        let bytes = try? RegularFile.bytes(at: "/proc/self/mountinfo", limit: Self.sizeLimit)
        self.init(mounts: String(decoding: bytes ?? [], as: UTF8.self))
    }

    // A line: number, parent, major:minor, root, mount point, options, optional fields, "-", type, …
    package init(mounts: String) {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, dash + 1 < fields.count else { continue }
            let type = String(fields[dash + 1])
            guard Self.types.contains(type) || type.hasPrefix("fuse") else { continue }
            let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
            if numbers.count == 2 { devices.insert(Self.device(major: numbers[0], minor: numbers[1])) }
        }
    }

    /// Whether a directory is on one of them.
    package func contains(_ directory: String) -> Bool {
        guard !devices.isEmpty, let status = System.status(at: directory) else { return false }
        return devices.contains(status.device)
    }

    // As the C library puts the two together (gnu_dev_makedev).
    private static func device(major: UInt64, minor: UInt64) -> UInt64 {
        (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | (minor & 0xFF) | (minor & ~0xFF) << 12
    }
}
