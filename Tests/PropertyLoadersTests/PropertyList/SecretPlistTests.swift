import PropertyLoaders
import TestSupport
import Testing

@Suite("PlistPropertyLoader: secret sources")
struct SecretPlistTests {
    static let bodies = [
        "<dict><key>p</key><integer>hush</integer></dict>", "<dict><key>p</key><hush/></dict>",
        "<dict><key>p</key><real>1hush</real></dict>", "<dict><key>p</key><date>hush</date></dict>",
        "<dict><key>p</key><data>hush!</data></dict>", "<dict><key>p</key><string>hush</hush></dict>",
        "<dict><key>p</key><string>&hush;</string></dict>", "<dict><string>hush</string></dict>", "hush",
        "<dict hush='hush'></dict>", "<dict><key>p</key><string>hush",
    ]

    @Test("An error in a secret source does not contain text of the source", arguments: bodies)
    func errors(body: String) throws {
        let loader = PlistPropertyLoader(string: "<?xml version=\"1.0\"?><plist>\(body)</plist>", name: "s.plist")
            .secret()
        let error = try #require(loadError { _ = try loader.load() })
        var text = "\(error.longDescription) \(error.problem) \(error.expected ?? "") \(error.remedy ?? "")"
        text += error.notes.map { "\($0.text) \($0.origin)" }.joined()
        #expect(!text.contains("hush"), "\(text)")
    }
}
