import Billing
import ServiceHost

func makeContainer() -> Container {
    let container = Container()
    container.apply(assemblies: [BillingAssembly()])
    return container
}

@main
struct SeveralTargets {
    static func main() async {
        await makeContainer().run(.standardSources(environment: "APP")) { container in
            print(try container.require(Invoices.self).text(for: 3))
        }
    }
}
