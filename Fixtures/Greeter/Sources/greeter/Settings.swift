import Container

extension TypedKey<String> {
    static var greeting: Self { TypedKey("greeting.text", default: "Hello", summary: "What the service says") }
    static var baseURL: Self { TypedKey("baseURL", default: "http://localhost:8080", summary: "Where clients find it") }
}

extension TypedKey<Duration> {
    static var pause: Self {
        TypedKey("greeting.every", default: .seconds(2), in: .milliseconds(100)..., summary: "The pause between two")
    }
}
