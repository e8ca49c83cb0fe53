// Package image puts layers together to images.
package image

// Service is one image.
type Service struct {
	Name, Description string
	// Module is its folder in the repository.
	Module string
	// Main is started when there is one role only.
	Main string
	// Roles maps an argument such as @signer to the class it starts; the first of RoleOrder is the default.
	Roles     map[string]string
	RoleOrder []string
	// Ports that it listens on by default.
	Ports []int
	// Environment beyond that of every image.
	Environment []string
}

// Services are all images, in alphabetical order.
var Services = []Service{
	{
		Name: "compliance-issuer", Module: "services/compliance-issuer", Ports: []int{8092, 9190},
		Description: "Signs the first compliance coin of a registered person; one per authority",
		Main:        "io.solidus.complianceissuer.ComplianceIssuerApplication",
	},
	{
		Name: "gateway", Module: "services/gateway", Ports: []int{8080},
		Description: "REST for wallets: asks the validators and collects a quorum of signatures",
		Main:        "io.solidus.gateway.GatewayApplication",
	},
	{
		Name: "issuance", Module: "services/issuance", Ports: []int{8083},
		Description: "Funding, mint with two approvers, redemption, supply",
		Main:        "io.solidus.issuance.IssuanceApplication",
	},
	{
		Name: "prover", Module: "services/prover", Ports: []int{8093, 9200},
		Description: "Proves for wallets that delegate",
		Main:        "io.solidus.proverservice.ProverApplication",
	},
	{
		Name: "registration", Module: "services/registration", Ports: []int{8081},
		Description: "KYC cases, one registration for each identity, attestations",
		Main:        "io.solidus.registration.RegistrationApplication",
	},
	{
		Name: "sanctions", Module: "services/sanctions", Ports: []int{8082},
		Description: "List import, screening, sanctioned addresses, checkpoints, policies",
		Main:        "io.solidus.sanctions.SanctionsApplication",
	},
	{
		Name: "validator", Module: "services/validator", Ports: []int{8090, 8091, 9100, 9110},
		Description: "A validator authority's processes: @shard, @signer, @split",
		Roles: map[string]string{
			"shard":  "io.solidus.validator.ShardApplication",
			"signer": "io.solidus.validator.signer.SignerApplication",
			"split":  "io.solidus.validator.SplitApplication",
		},
		RoleOrder: []string{"shard", "signer", "split"},
	},
	{
		Name: "wallet", Module: "services/wallet",
		Description: "The wallet's command line, for tests of an installation",
		Main:        "io.solidus.wallet.cli.WalletMain",
		Environment: []string{"HOME=/home/solidus"},
	},
}
