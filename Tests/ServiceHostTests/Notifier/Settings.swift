import ServiceHost

struct NotifierSettings: Settings {
    @Setting("The name in every message") var sender = "notifier"
    @Setting("How long a message is kept", in: .seconds(60)...) var retention = Duration.seconds(604_800)
    var server = Server()
    var queue = Queue()
    var mail = Mail()

    struct Server: Settings {
        @Setting("The address to listen on") var host = "127.0.0.1"
        @Setting("Where clients connect", in: 1...65535, needsRestart: true) var port = 8080
        @Setting("Who may send, by name") var clients: [String] = []
    }

    struct Queue: Settings {
        @Setting("The most messages that wait", in: 1...100_000) var limit = 1000
        @Setting("How often a message is tried", in: 0...20) var retries = 5
        @Setting("The pause between two tries", in: .milliseconds(100)...) var pause = Duration.seconds(2)
    }

    struct Mail: Settings {
        @Setting("The mail server") var host: String
        @Setting("Signs in to the mail server", isSecret: true) var password: String
        @Setting("Where answers go") var replyTo: String?
        @Setting("Whether the connection is encrypted") var encrypted = true
    }
}
