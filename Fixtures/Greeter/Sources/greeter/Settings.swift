import ServiceHost

struct GreeterSettings: Settings {
    @Setting("Where clients find it") var baseURL = "http://localhost:8080"
    var greeting = Greeting()

    struct Greeting: Settings {
        @Setting("What the service says") var text = "Hello"
        @Setting("The pause between two", in: .milliseconds(100)...) var every = Duration.seconds(2)
    }
}
