/// Which executions of a program are possible.
public enum MemoryModel: String, Sendable, CaseIterable {
    /// RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing sequential consistency in C/C++11", PLDI 2017), without
    /// fences, and with the release sequences of C++20. No load gets a value of a store that comes later in a cycle.
    case rc11 = "RC11"
    /// The intermediate memory model of Podkopaev, Lahav and Vafeiadis ("Bridging the gap between programming languages
    /// and hardware weak memory models", POPL 2019), which all executions on x86, arm64, POWER and RISC-V satisfy. In
    /// it a store may overtake an earlier load, unless the load acquires or the store releases.
    ///
    /// A store that depends on a load does not overtake it either. The explorer ignores dependencies, so it also
    /// explores executions that the model forbids, and what holds in all of them does not rest on dependencies.
    case imm = "IMM"
}
