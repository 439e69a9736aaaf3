import Container
import ServiceHost
import Testing

@Suite("The standard sources of a service")
struct StandardSourcesTests {
    @Test("An empty path of the secrets is an error, and not the working directory")
    func emptyPath() async {
        let container = Container()
        let sources: PropertySources = .standardSources(secrets: "", environment: "EMPTY", arguments: [])
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start(sources) }
        #expect(
            error?.description.hasPrefix(
                "secrets: the path of the directory is empty; expected the path of a directory. Set the variable or the "
                    + "constant that has the path.") == true)
        #expect(error?.exitStatus == 78)
    }

    @Test("An empty path of the file is an error, also if the file need not exist", arguments: [true, false])
    func emptyFile(isRequired: Bool) async {
        let container = Container()
        let sources: PropertySources = .standardSources(
            file: "", requiresFile: isRequired, environment: "EMPTY", arguments: [])
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start(sources) }
        #expect(
            error?.description.hasPrefix(
                "file: the path of the file is empty; expected the path of a file. Set the variable or the constant that has "
                    + "the path.") == true)
    }
}
