package keys

import (
	cs "github.com/consensys/gnark/constraint/bls12-381"

	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/logger"

	"solidus.io/prover/circuits/mint"
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/circuits/register"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/circuits/unregulated"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/r1cs"
	"solidus.io/prover/statement"
)

// The library's solver logs the values of a constraint that does not hold. These values are secrets.
func init() { logger.Disable() }

// circuit is one entry of the registry. The version changes with every change of its constraints.
type circuit struct {
	family       statement.Family
	name         string
	version      uint32
	publicInputs int
	compile      func(hash.NetworkTag) (constraint.ConstraintSystem, error)
}

// registry lists the circuits of each kind of network. Tests replace it.
var registry = map[statement.Kind][]circuit{
	statement.Regulated: {
		{statement.FamilyTransfer, "transfer", 1, statement.TransferInputs, transfer.Compile},
		{statement.FamilyRegister, "register", 1, statement.RegisterInputs, register.Compile},
		{statement.FamilyMint, "mint", 1, statement.MintInputs, mint.Compile},
		{statement.FamilyRecover, "recover", 1, statement.RecoverInputs, recovery.Compile},
	},
	statement.Unregulated: {
		{statement.FamilyTransferUnregulated, "transfer-unregulated", 1, statement.UnregulatedInputs, unregulated.Compile},
		{statement.FamilyMint, "mint", 1, statement.MintInputs, mint.CompileUnregulated},
	},
}

// system is a compiled circuit.
type system struct {
	*cs.R1CS
	digest [32]byte
}

// build compiles the circuit of a network and refuses one with hidden commitments.
func (c *circuit) build(network hash.NetworkTag) (*system, error) {
	ccs, err := c.compile(network)
	if err != nil {
		return nil, fault.Newf(fault.Internal, "compiling %s", c.name)
	}
	s, ok := ccs.(*cs.R1CS)
	if !ok || len(s.GetCommitments().CommitmentIndexes()) != 0 {
		return nil, fault.New(fault.KeysCommitmentKeys, c.name)
	}
	if s.GetNbPublicVariables()-1 != c.publicInputs {
		return nil, fault.Newf(fault.KeysPublicInputs, "%s has %d, want %d", c.name, s.GetNbPublicVariables()-1, c.publicInputs)
	}
	return &system{R1CS: s, digest: r1cs.Digest(s)}, nil
}
