import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The directories to watch")
struct WatchPlanTests {
    /// Returns the planned directories below the scratch directory, each with the names that are watched in it.
    private func plan(_ scratch: Scratch, _ files: String...) -> [String: [String]] {
        let root = scratch.url.path
        let plan = WatchPlan(files.map { scratch.file($0).path })
        return Dictionary(
            uniqueKeysWithValues: plan.directories.filter { $0.key.rawValue.hasPrefix(root) }.map { directory, names in
                (
                    String(directory.rawValue.dropFirst(root.count)),
                    names.all ? ["*"] : names.some.map(\.rawValue).sorted()
                )
            })
    }

    @Test("Each directory in a path is watched for the next name in the path")
    func onTheWay() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "a/b/file")
        #expect(plan(scratch, "a/b/file", "a/b/other") == ["": ["a"], "/a": ["b"], "/a/b": ["file", "other"]])
        #expect(WatchPlan([scratch.file("a").path]).directories["/"]?.some.count == 1)
    }

    @Test("A name may begin with a combining mark")
    func marks() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "a/\u{301}b/\u{301}file")
        #expect(
            plan(scratch, "a/\u{301}b/\u{301}file")
                == ["": ["a"], "/a": ["\u{301}b"], "/a/\u{301}b": ["\u{301}file"]])
    }

    @Test("Two canonically equivalent names are both watched")
    func sameCharacters() throws {
        let scratch = try Scratch()
        let names = ["\u{E9}", "e\u{301}"]
        for name in names { try scratch.write("", to: "\(name)/file") }
        let plan = WatchPlan(names.map { scratch.file($0).path + "/file" })
        #expect(plan.directories[PropertyKey(scratch.url.path)]?.some.count == 2)
        for name in names { #expect(plan.directories[PropertyKey("\(scratch.url.path)/\(name)")]?.some == ["file"]) }
        #expect(plan.files.count == 2)
    }

    @Test("A missing path is watched in its nearest existing ancestor")
    func missing() throws {
        let scratch = try Scratch()
        #expect(plan(scratch, "a/b/file") == ["": ["a"]])
    }

    @Test("Links and their targets are watched, also in cycles")
    func links() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "real/in/file")
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: scratch.file(name).path, withDestinationPath: target)
        }
        try link("link", "real/./in")
        try link("up", "real/../real/in")
        try link("absolute", scratch.file("real/in").path)
        try link("circle", "circle")
        #expect(plan(scratch, "link/file") == ["": ["link", "real"], "/real": ["in"], "/real/in": ["file"]])
        #expect(plan(scratch, "up/file") == ["": ["real", "up"], "/real": ["in"], "/real/in": ["file"]])
        #expect(plan(scratch, "absolute/file")["/real/in"] == ["file"])
        #expect(plan(scratch, "circle/file") == ["": ["circle"]])
    }

    @Test("In a directory that is a source, all names are watched, and so are the targets of its links")
    func directory() throws {
        let mount = try KubernetesMount()
        try mount.swap(to: ["key": "1"])
        let plan = WatchPlan([mount.url.path])
        #expect(plan.directories[PropertyKey(mount.url.path)]?.all == true)
        #expect(
            plan.directories[PropertyKey(mount.url.path)]?.some
                == Set(["key", "..data"]).union(states(of: mount).map { PropertyKey($0) }))
        #expect(
            states(of: mount).allSatisfy { plan.directories[PropertyKey("\(mount.url.path)/\($0)")]?.some == ["key"] })
    }

    @Test("A directory that is created before the watches of a plan are set is in the next plan")
    func settled() throws {
        let scratch = try Scratch()
        var plans: [WatchPlan] = []
        let seesEveryChange = WatchPlan.settled([scratch.file("a/b/file").path]) { plan in
            if plans.isEmpty { makeDirectory(scratch.file("a/b")) }
            plans.append(plan)
            return true
        }
        #expect(seesEveryChange)
        #expect(plans.count == 2)
        #expect(plans.last?.directories[PropertyKey(scratch.file("a/b").path)]?.some == ["file"])
    }

    @Test("If directories keep appearing, the attempts stop and the files are polled")
    func neverSettled() throws {
        let scratch = try Scratch()
        var path = scratch.url, count = 0
        let deepest = scratch.file(String(repeating: "a/", count: 50) + "file")
        let seesEveryChange = WatchPlan.settled([deepest.path]) { _ in
            path.append(path: "a")
            makeDirectory(path)
            count += 1
            return true
        }
        #expect(!seesEveryChange)
        #expect(count == 8)
    }

    private func makeDirectory(_ url: URL) {
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    @Test("A relative path is ignored, and makes the plan incomplete")
    func relative() throws {
        #expect(WatchPlan(["config.toml"]).directories.isEmpty)
        #expect(!WatchPlan(["config.toml"]).isComplete)
        #expect(try WatchPlan([Scratch().url.path]).isComplete)
        #expect(!WatchPlan.settled(["config.toml"]) { _ in true })
    }

    @Test("The plan has the files at the ends of the paths, with all links resolved")
    func files() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "a/file")
        try FileManager.default.createSymbolicLink(atPath: scratch.file("b").path, withDestinationPath: "a")
        #expect(WatchPlan([scratch.file("b/file").path, scratch.file("b").path]).files.count == 1)
        #expect(WatchPlan([scratch.file("b/none").path]).files.isEmpty)
    }

    private func states(of mount: KubernetesMount) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: mount.url.path)) ?? []
        return Set(names.filter { $0.hasPrefix("..2") })
    }
}

#if os(Linux)
    @Suite("File systems whose changes the kernel does not report")
    struct RemoteFileSystemTests {
        @Test(
            "A directory on a remote file system is recognized by its device number",
            arguments: ["nfs4", "cifs", "9p", "fuse.sshfs", "virtiofs"])
        func remote(_ type: String) throws {
            let scratch = try Scratch()
            let device = try #require(try device(of: scratch.url.path))
            let mounts = "22 1 \(device) / /mnt rw,relatime shared:1 - \(type) server:/x rw\n"
            #expect(MountTable(mounts: mounts).isRemote(scratch.url.path))
            #expect(!MountTable(mounts: "22 1 0:9999 / /mnt rw - \(type) x rw\n").isRemote(scratch.url.path))
        }

        @Test("A mount point is found, with or without a space in its name")
        func points() {
            let table = MountTable(
                mounts: "22 1 8:1 / /etc/a\\040b\\134 rw - ext4 x rw\n23 1 8:1 / /c rw - ext4 x rw\n")
            #expect(table.isMountPoint("/c"))
            #expect(table.isMountPoint("/etc/a b\\"))
            #expect(!table.isMountPoint("/etc"))
        }

        @Test("Local file systems and invalid lines are ignored")
        func local() throws {
            let scratch = try Scratch()
            let device = try #require(try device(of: scratch.url.path))
            for line in [
                "22 1 \(device) / /mnt rw - ext4 /dev/x rw", "22 1 \(device) - nfs", "nonsense", "- nfs4 -", "",
            ] {
                #expect(!MountTable(mounts: line + "\n").isRemote(scratch.url.path))
            }
        }

        /// Returns the device number of a path as `major:minor`, like in the list of mounts.
        private func device(of path: String) throws -> String? {
            let number = try FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int
            return number.map { "\(($0 >> 8) & 0xFFF):\(($0 & 0xFF) | (($0 >> 12) & 0xFFF00))" }
        }
    }
#endif
