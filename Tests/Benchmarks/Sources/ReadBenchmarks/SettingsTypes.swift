import Container

/// A settings type of 30 settings.
struct ThirtySettings: Settings {
    @Setting("Number 0", in: 0...100) var number0 = 1
    @Setting("Text 0") var text0 = "a"
    @Setting("Share 0", in: 0...) var share0 = 0.5
    @Setting("Number 1", in: 0...100) var number1 = 1
    @Setting("Text 1") var text1 = "a"
    @Setting("Share 1", in: 0...) var share1 = 0.5
    @Setting("Number 2", in: 0...100) var number2 = 1
    @Setting("Text 2") var text2 = "a"
    @Setting("Share 2", in: 0...) var share2 = 0.5
    @Setting("Number 3", in: 0...100) var number3 = 1
    @Setting("Text 3") var text3 = "a"
    @Setting("Share 3", in: 0...) var share3 = 0.5
    @Setting("Number 4", in: 0...100) var number4 = 1
    @Setting("Text 4") var text4 = "a"
    @Setting("Share 4", in: 0...) var share4 = 0.5
    @Setting("Number 5", in: 0...100) var number5 = 1
    @Setting("Text 5") var text5 = "a"
    @Setting("Share 5", in: 0...) var share5 = 0.5
    @Setting("Number 6", in: 0...100) var number6 = 1
    @Setting("Text 6") var text6 = "a"
    @Setting("Share 6", in: 0...) var share6 = 0.5
    @Setting("Number 7", in: 0...100) var number7 = 1
    @Setting("Text 7") var text7 = "a"
    @Setting("Share 7", in: 0...) var share7 = 0.5
    @Setting("Number 8", in: 0...100) var number8 = 1
    @Setting("Text 8") var text8 = "a"
    @Setting("Share 8", in: 0...) var share8 = 0.5
    @Setting("Number 9", in: 0...100) var number9 = 1
    @Setting("Text 9") var text9 = "a"
    @Setting("Share 9", in: 0...) var share9 = 0.5
}

/// A plain type of the same shape, whose values must all be in a source.
struct ThirtyPlain: Decodable {
    var number0: Int
    var text0: String
    var share0: Double
    var number1: Int
    var text1: String
    var share1: Double
    var number2: Int
    var text2: String
    var share2: Double
    var number3: Int
    var text3: String
    var share3: Double
    var number4: Int
    var text4: String
    var share4: Double
    var number5: Int
    var text5: String
    var share5: Double
    var number6: Int
    var text6: String
    var share6: Double
    var number7: Int
    var text7: String
    var share7: Double
    var number8: Int
    var text8: String
    var share8: Double
    var number9: Int
    var text9: String
    var share9: Double
}

struct ThirtyValues: PropertyLoader {
    func load() -> PropertyLayer {
        let values: [(String, PropertyValue)] = [
            ("number0", 0), ("text0", "a text of some length"), ("share0", 0.25),
            ("number1", 1), ("text1", "a text of some length"), ("share1", 0.25),
            ("number2", 2), ("text2", "a text of some length"), ("share2", 0.25),
            ("number3", 3), ("text3", "a text of some length"), ("share3", 0.25),
            ("number4", 4), ("text4", "a text of some length"), ("share4", 0.25),
            ("number5", 5), ("text5", "a text of some length"), ("share5", 0.25),
            ("number6", 6), ("text6", "a text of some length"), ("share6", 0.25),
            ("number7", 7), ("text7", "a text of some length"), ("share7", 0.25),
            ("number8", 8), ("text8", "a text of some length"), ("share8", 0.25),
            ("number9", 9), ("text9", "a text of some length"), ("share9", 0.25),
        ]
        return ["settings": .table(PropertyTable(values))]
    }
}
