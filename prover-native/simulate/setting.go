package simulate

import (
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/groth"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Setting is a regulated network that exists in memory only, for measurements and tests.
type Setting struct {
	*Simulator
	Committee *suite.Committee
	Shares    []*suite.Share
	Keys      statement.Keys
	// Transfer is the verifying key of transfers in the library's form.
	Transfer *groth16.VerifyingKey
}

// NewSetting deals a committee and draws trapdoors for every circuit of a regulated network.
func NewSetting(network string, f int) (*Setting, error) {
	n, err := statement.NewNetwork(network)
	if err != nil {
		return nil, err
	}
	dealt, err := n.Scheme().Deal(f)
	if err != nil {
		return nil, err
	}
	for i := range dealt.Committee.Members {
		dealt.Committee.Members[i].NoteKey[0] = byte(i) // distinct, never used
	}
	s := &Setting{
		Simulator: &Simulator{
			Network: n, trapdoors: map[statement.Family]*trapdoor.Trapdoor{}, versions: map[statement.Family]uint32{},
		},
		Committee: dealt.Committee, Shares: dealt.Shares,
	}
	if s.x, s.y, err = recombine(dealt.Shares[:dealt.Committee.Quorum()]); err != nil {
		return nil, err
	}
	if s.Transfer, s.Keys.Transfer, err = s.circuit(statement.FamilyTransfer, statement.TransferInputs); err != nil {
		return nil, err
	}
	if _, s.Keys.Register, err = s.circuit(statement.FamilyRegister, statement.RegisterInputs); err != nil {
		return nil, err
	}
	if _, s.Keys.Mint, err = s.circuit(statement.FamilyMint, statement.MintInputs); err != nil {
		return nil, err
	}
	_, s.Keys.Recover, err = s.circuit(statement.FamilyRecover, statement.RecoverInputs)
	return s, err
}

// Verifier returns a verifier of this network's requests.
func (s *Setting) Verifier() (*statement.Verifier, error) {
	return statement.NewVerifier(s.Network, statement.Regulated, s.Committee, s.Keys)
}

func (s *Setting) circuit(f statement.Family, inputs int) (*groth16.VerifyingKey, *statement.CircuitKey, error) {
	const version = 1
	t, err := trapdoor.New(trapdoor.Draw(inputs, FreshStream().Field))
	if err != nil {
		return nil, nil, err
	}
	vk, err := t.VerifyingKey()
	if err != nil {
		return nil, nil, err
	}
	key, err := groth.NewVerifyingKey(vk, inputs)
	s.trapdoors[f], s.versions[f] = t, version
	return vk, &statement.CircuitKey{Version: version, Key: key}, err
}
