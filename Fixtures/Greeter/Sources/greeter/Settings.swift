import Container

struct Settings {
    struct Greeting {
        let text = "Hello"
        let every = "2s"
    }
    let greeting = Greeting()
    let baseURL = "http://localhost:8080"
}

extension PropertyKey {
    static let greeting: PropertyKey = "greeting.text"
    static let pause: PropertyKey = "greeting.every"
}
