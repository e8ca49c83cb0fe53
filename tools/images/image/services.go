// Package image builds images from layers.
package image

// Service is one image.
type Service struct {
	Name, Description string
	// Module is its folder in the repository.
	Module string
	// Main is the class to start when there is only one role.
	Main string
	// Roles maps an argument such as @signer to the class that it starts. The first of RoleOrder is the default.
	Roles     map[string]string
	RoleOrder []string
	// Ports are the default ports that the service listens on.
	Ports []int
	// Environment adds to the environment of every image.
	Environment []string
}

// Services are all images, in alphabetical order.
var Services = []Service{
	{
		Name: "compliance-issuer", Module: "services/authority/compliance-issuer", Ports: []int{8092, 9190},
		Description: "Signs the first compliance coin of a registered person; one per authority",
		Main:        "io.solidus.authority.complianceissuer.ComplianceIssuerApplication",
	},
	{
		Name: "console", Module: "services/operator/console", Ports: []int{8084},
		Description: "Pages for the bank's people over the admin APIs",
		Main:        "io.solidus.operator.console.ConsoleApplication",
	},
	{
		Name: "gateway", Module: "services/edge/gateway", Ports: []int{8080},
		Description: "REST for wallets: asks the validators and collects a quorum of signatures",
		Main:        "io.solidus.edge.gateway.GatewayApplication",
	},
	{
		Name: "issuance", Module: "services/operator/issuance", Ports: []int{8083, 8183},
		Description: "Funding, mint with two approvers, redemption, supply",
		Main:        "io.solidus.operator.issuance.IssuanceApplication",
	},
	{
		Name: "prover", Module: "services/edge/prover", Ports: []int{8093, 9200},
		Description: "Proves for wallets that delegate",
		Main:        "io.solidus.edge.prover.ProverApplication",
	},
	{
		Name: "registration", Module: "services/operator/registration", Ports: []int{8081, 8181},
		Description: "KYC cases, one registration for each identity, attestations",
		Main:        "io.solidus.operator.registration.RegistrationApplication",
	},
	{
		Name: "relay", Module: "services/edge/relay", Ports: []int{8086},
		Description: "Passes sealed requests of wallets on to a gateway, which sees no addresses",
		Main:        "io.solidus.edge.relay.RelayApplication",
	},
	{
		Name: "replica", Module: "services/authority/replica", Ports: []int{8094, 9210},
		Description: "Copies of the mailbox's tables, which answer private queries; one per authority",
		Main:        "io.solidus.authority.replica.ReplicaApplication",
	},
	{
		Name: "sanctions", Module: "services/operator/sanctions", Ports: []int{8082, 8182},
		Description: "List import, screening, sanctioned addresses, checkpoints, policies",
		Main:        "io.solidus.operator.sanctions.SanctionsApplication",
	},
	{
		Name: "shard", Module: "services/authority/shard", Ports: []int{8090, 9100},
		Description: "A shard of a validator authority: @shard, @split",
		Roles: map[string]string{
			"shard": "io.solidus.authority.shard.ShardApplication",
			"split": "io.solidus.authority.shard.SplitApplication",
		},
		RoleOrder: []string{"shard", "split"},
	},
	{
		Name: "signer", Module: "services/authority/signer", Ports: []int{8091, 9110},
		Description: "The process of a validator authority that holds its key share: @signer, @recover",
		Roles: map[string]string{
			"signer":  "io.solidus.authority.signer.SignerApplication",
			"recover": "io.solidus.authority.signer.RecoverApplication",
		},
		RoleOrder: []string{"signer", "recover"},
	},
	{
		Name: "wallet", Module: "services/wallet/cli",
		Description: "The wallet's command line, for tests of an installation",
		Main:        "io.solidus.wallet.cli.WalletMain",
		Environment: []string{"HOME=/home/solidus"},
	},
}
