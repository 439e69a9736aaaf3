import TestSupport
import TextBasics
import Testing

@Suite("Secrets of URLs are masked in text")
struct URLSecretsTests {
    /// Texts, and what is shown of them.
    static let masked = [
        ("postgres://app:hunter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hunter2@db", "postgres://app:********@db"),
        ("redis://:hunter2@cache:6379/0", "redis://:********@cache:6379/0"),
        ("jdbc:mysql://app:hunter2@db:3306/app", "jdbc:mysql://app:********@db:3306/app"),
        ("mongodb+srv://app:hunter2@a.example,b.example/?w=1", "mongodb+srv://app:********@a.example,b.example/?w=1"),
        ("amqps://app:hunter2@[::1]:5671/%2f", "amqps://app:********@[::1]:5671/%2f"),
        // A password with characters that should be escaped.
        ("postgres://app:hunter@2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hun/ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hun?ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hun#ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hun:ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:h@un/ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:h@un?ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hun\"ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:hun ter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:8080/hunter2@db/app", "postgres://app:********@db/app"),
        ("postgres://app:pässwörd@db/äpp", "postgres://app:********@db/äpp"),
        ("smtp://me@example.com:hunter2@mail/", "smtp://me@example.com:********@mail/"),
        ("smtp://me@example.com:hun/ter2@mail/", "smtp://me@example.com:********@mail/"),
        ("postgres://app:a@b@db/app?mail=me@example.com", "postgres://app:********@db/app?mail=me@example.com"),
        ("postgres://app:012345678901234567890123456789@db:5432", "postgres://app:********@db:5432"),
        // In a longer text.
        ("a=1 postgres://app:hunter2@db b=2", "a=1 postgres://app:********@db b=2"),
        ("\"postgres://app:hunter2@db\", \"http://a:b@c\"", "\"postgres://app:********@db\", \"http://a:********@c\""),
        ("http://h1:80,http://app:hunter2@h2", "http://h1:********@h2"),
        ("http://a:b@h1,http://c:d@h2", "http://a:********@h1,http://c:********@h2"),
        (#"{"url":"postgres:\/\/app:hunter2@db\/app"}"#, #"{"url":"postgres:\/\/app:********@db\/app"}"#),
        // A token in place of a user.
        ("https://ghp_16C7e42F292c69@github.com/a.git", "https://********@github.com/a.git"),
        ("https://0123456789abcdef0123456789abcdef@sentry.io/42", "https://********@sentry.io/42"),
        ("https://ghp_1:x-oauth-basic@github.com/a.git", "https://********:********@github.com/a.git"),
        ("https://ghp_1:x@github.com/a.git", "https://********:********@github.com/a.git"),
        ("https://sk_live_1:@api.stripe.com/v1", "https://********:@api.stripe.com/v1"),
        ("https://ghp_16C7e42F292c69:pw@github.com/a", "https://********:********@github.com/a"),
        // Digits that are not a port: no URL of the web, no host, no port, or no path.
        ("postgres://db.example.com:1234/secret@db", "postgres://db.example.com:********@db"),
        ("https://app:1234/secret@db.example.com", "https://app:********@db.example.com"),
        ("https://a.example.com:65536/secret@db", "https://a.example.com:********@db"),
        ("https://a.example.com:0/secret@db", "https://a.example.com:********@db"),
        ("https://a.example.com:443@db", "https://a.example.com:********@db"),
        (
            "https://a.example.com:443/@x,https://app:hunter2@b.example.com",
            "https://a.example.com:443/@x,https://app:********@b.example.com"
        ),
        // Queries and fragments.
        ("https://b/o?X-Amz-Signature=4711&x=1", "https://b/o?X-Amz-Signature=********&x=1"),
        ("https://b/o?X-Goog-Signature=4711", "https://b/o?X-Goog-Signature=********"),
        ("https://b/o?oauth_signature=4711&awsSig=12", "https://b/o?oauth_signature=********&awsSig=********"),
        ("https://host/a?page=2&token=4711&x=1", "https://host/a?page=2&token=********&x=1"),
        ("https://host?api_key=4711", "https://host?api_key=********"),
        ("https://host?key=4711&sig=a%2Fb", "https://host?key=********&sig=********"),
        ("https://host/#access_token=4711&state=x", "https://host/#access_token=********&state=x"),
        ("jdbc:postgresql://host/db?user=app&password=hunter2", "jdbc:postgresql://host/db?user=app&password=********"),
        (
            "jdbc:sqlserver://h:1433;user=sa;password=hunter2;a=b",
            "jdbc:sqlserver://h:1433;user=sa;password=********;a=b"
        ),
        ("https://app:hunter2@host/?token=4711", "https://app:********@host/?token=********"),
        ("https://h/?next=https://i/?token=4711", "https://h/?next=https://i/?token=********"),
    ]

    @Test("A password, a long user name without a password, and a secret query item are masked", arguments: masked)
    func masks(text: String, shown: String) {
        #expect(URLSecrets.masked(text) == shown)
        #expect(URLSecrets.masked(shown) == shown, "A masked text stays as it is")
        #expect(PrintableText.escaped(text).contains("hunter") == false)
    }

    @Test("The tables of masked and of whole texts have their rows")
    func counts() { #expect((Self.masked.count, Self.whole.count) == (49, 30)) }

    static let whole = [
        "", "://", "a://", "a://:", "a://@", "http://host", "http://host:8080/path?x=1#y", "https://user@host/a",
        "https://git@github.com:org/repo", "ssh://deploy@10.0.0.1:22/srv", "http://[::1]:80/", "http://[::1]:80 a@b",
        "https://mastodon.social/@user", "http://host:8080 mail to a@b", "http://host: mail to a@b",
        "mailto:me@example.com", "app:hunter2@db", "//app:hunter2@db", "file:///etc/a", "https://host/?page=2&a=b",
        "https://host/?token=", "a: b @ c", "12:30 // a@b", "urn:isbn:0451450523",
        "https://npm.example.com:443/@scope/pkg", "HTTP://localhost:8080/@scope/pkg", "wss://[::1]:65535/@scope",
        #"https:\/\/npm.example.com:443\/@scope"#, "https://b/o?X-Amz-Date=4711", "https://b/o?signatureVersion=2",
    ]

    @Test("A URL without user information, and text that is not a URL, stay whole", arguments: whole)
    func leaves(text: String) { #expect(URLSecrets.masked(text) == text) }

    @Test("A text is masked before it is clipped or quoted")
    func clipped() {
        let url = "postgres://application:" + String(repeating: "hunter2", count: 20) + "@db"
        #expect(PrintableText.clipped(url) == "postgres://application:********@db")
        #expect(PrintableText.quoted(url) == "`postgres://application:********@db`")
        let message: MessageText = "\(url) is wrong"
        #expect(message.text == "postgres://application:********@db is wrong")
        #expect(PrintableText.controlsEscaped(url) == url)
    }

    @Test("An excerpt of a line masks a password of which it shows a part, and marks the same character")
    func excerpts() {
        let line = "url = \"postgres://app:hun\\qter2@db/app\" # x"
        let source = SourceText(bytes: Array(line.utf8))
        var shown: Set<String> = []
        for offset in 0...line.utf8.count {
            for before in [0, 3, 50] {
                let excerpt = source.excerpt(around: offset, before: before, width: before + 30)
                let text = excerpt.before + excerpt.after
                #expect(!text.contains("hun") && !text.contains("ter2"), "\(text)")
                shown.insert(text)
                let rest = line.utf8.dropFirst(offset)
                // Outside of the password, the marked character is the one at the offset.
                if !(22..<32).contains(offset) { #expect(excerpt.after.utf8.first == rest.first) }
            }
        }
        #expect(shown.contains("url = \"postgres://app:********@db/app\" # x"))
    }

    @Test("No random password is in the masked text, whatever it consists of and stands in")
    func random() {
        var random = SplitMix(state: 11)
        let alphabet = Array("aZ9:/?#@&=;%+-._~!$'()*,[]{}\"\\ä ")
        for _ in 0..<3000 {
            let count = Int.random(in: 0...30, using: &random)
            let inner = String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? "a" })
            // What looks like another URL, a query or another word ends a password that has an `@`.
            let open = inner.replacing("=", with: "").replacing("//", with: "/")
            let password = "Q\(open.contains("@") ? open.replacing(" ", with: "") : open)Q"
            let start = ["", "x ", "a=\"", "http://h/ ", "see http://h:80/a, "].randomElement(using: &random) ?? ""
            let end = ["", " x", "\"", "/p", ":5432/p?x=1#y"].randomElement(using: &random) ?? ""
            let text = "\(start)pg://app:\(password)@db\(end)"
            #expect(URLSecrets.masked(text) == "\(start)pg://app:\(URLSecrets.mask)@db\(end)")
        }
    }

    @Test("Long texts of any pattern are masked in linear time")
    func linear() {
        let patterns = [
            "://", "a://b:c@d ", "a://b:c@d", "a://b:c ", "a://b:", "?a=", "a://?token=", "@", ":", "x://a@",
            "a://b:c@?d",
            "a://b:c@#e=", ";password=", "://:@/", "a://********@", "x://a:b\n", "://a:?", "a://&key&key",
        ]
        for pattern in patterns {
            let text = "http://" + String(repeating: pattern, count: 20_000 / pattern.utf8.count)
            #expect(URLSecrets.masked(URLSecrets.masked(text)) == URLSecrets.masked(text))
        }
    }
}

@Suite("Names of secrets")
struct SecretNameTests {
    @Test(
        "A name that everybody gives to secrets is recognized, in any case, in the plural, and with any word around it",
        arguments: [
            "password", "db.password", "db.adminPassword", "DB_PASSWORD", "admin-password", "password.hash",
            "passwords",
            "PASSWORD_2", "password2", "PGPASSWORD", "dbpassword", "passwordLength", "SMTP_PASS", "smtp.pass", "PASS",
            "smtpPass", "PASS_1", "GPGPASS", "DB_PASSWD", "passwd", "userPwd", "ROOT_PWD", "ADMIN_PW",
            "GPG_PASSPHRASE", "passphrase", "passcode", "token", "session_token", "tokens", "API_TOKENS", "apiTokens",
            "GITHUB_TOKEN_RO", "tokenSecret", "client.secret", "clientSecret", "SECRET_KEY_BASE", "secrets", "mysecret",
            "AWS_SECRET_ACCESS_KEY", "secretAccessKey", "AWS_ACCESS_KEY_ID", "credential", "awsCredentials",
            "credentials.user", "AWS_CREDS", "authorization", "Proxy-Authorization", "AUTHORIZATION_HEADER", "bearer",
            "connection_string", "connectionString", "ConnectionStrings.Default", "DB_CONNSTR", "apikey", "APIKEY",
            "api.key", "apiKey", "APIKey", "API_KEY", "api_keys", "API_KEY_2", "X-API-Key", "private-key", "privkey",
            "secretKey", "signing_key", "AZURE_STORAGE_ACCOUNT_KEY", "STORAGE_KEY", "ENCRYPTION_KEY", "masterKey",
            "OPENAI_KEY", "tls.key", "licenseKey", "authkey", "REDIS_AUTH", "npm._auth", "SENTRY_DSN", "card_pin",
            "session.cookie", "SLACK_WEBHOOK", "SLACK_WEBHOOK_URL", "hash.salt", "accounts[].password", "é_token",
            "servers[0].tokens[1]", "signing.keys.old",
        ])
    func secrets(name: String) { #expect(SecretName.looksSecret(name)) }

    @Test(
        "An ordinary name is not taken for that of a secret",
        arguments: [
            "", ".", "a..b", "key", "keys", "keyboard", "monkey", "hotkey", "public_key", "publicKey", "primary_key",
            "PARTITION_KEY", "cache.key", "primary_key_name", "secretary", "tokenizer", "tokenizer.model", "compass",
            "bypass", "passenger", "pipeline", "auth.issuer", "auth.enabled", "cookie.domain", "webhook.timeout",
            "grid[][].x", "host", "port", "database_url", "user", "username", "spin", "pinned", "default", "connection",
            "string", "kafka.brokers", "keyspace", "certificate", "author", "authors", "authority",
        ])
    func others(name: String) { #expect(!SecretName.looksSecret(name)) }
}
