import GRDB

/// The orders, in SQLite.
struct Database: Sendable {
    private let pool: DatabasePool

    /// Opens the file, and creates the table if it is new.
    static func open(_ path: String) async throws -> Database {
        let database = Database(pool: try DatabasePool(path: path))
        try await database.pool.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT, cents INTEGER)")
        }
        return database
    }

    func insert(_ item: String, cents: Int) async throws {
        try await pool.write { db in
            try db.execute(sql: "INSERT INTO orders (item, cents) VALUES (?, ?)", arguments: [item, cents])
        }
    }

    func count() async throws -> Int {
        try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM orders") ?? 0 }
    }

    func close() throws { try pool.close() }
}
