package simulate

import (
	"encoding/hex"
	"encoding/json"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/suite"
)

const secretsFormat = "solidus/simulator/v2" //nolint:gosec // the name of a file format, no credential

// secretsFile is simulator.json. Everything is in hexadecimal, 32 bytes big endian each.
type secretsFile struct {
	Format   string         `json:"format"`
	X        string         `json:"x"`
	Y        string         `json:"y"`
	Circuits []trapdoorFile `json:"circuits"`
}

type trapdoorFile struct {
	Name  string   `json:"name"`
	Alpha string   `json:"alpha"`
	Beta  string   `json:"beta"`
	Gamma string   `json:"gamma"`
	Delta string   `json:"delta"`
	K     []string `json:"k"`
}

// maker implements keys.Simulation.
type maker struct{ file secretsFile }

// VerifyingKey draws the trapdoors of a circuit's key.
func (m *maker) VerifyingKey(circuit string, publicInputs int) (*groth16.VerifyingKey, error) {
	drawn := trapdoor.Draw(publicInputs, FreshStream().Field)
	t, err := trapdoor.New(drawn)
	if err != nil {
		return nil, err
	}
	f := trapdoorFile{
		Name: circuit, Alpha: hexField(&drawn.Alpha), Beta: hexField(&drawn.Beta), Gamma: hexField(&drawn.Gamma), Delta: hexField(&drawn.Delta),
	}
	for i := range drawn.K {
		f.K = append(f.K, hexField(&drawn.K[i]))
	}
	m.file.Circuits = append(m.file.Circuits, f)
	return t.VerifyingKey()
}

// Secrets adds the committee's key, computed from the shares.
func (m *maker) Secrets(dealt *suite.Dealt) ([]byte, error) {
	x, y, err := recombine(dealt.Shares[:dealt.Committee.Quorum()])
	if err != nil {
		return nil, err
	}
	m.file.Format = secretsFormat
	m.file.X, m.file.Y = hexField(&x), hexField(&y)
	raw, err := json.MarshalIndent(&m.file, "", "  ")
	if err != nil {
		return nil, fault.New(fault.Internal, "encoding")
	}
	return append(raw, '\n'), nil
}

// recombine interpolates a quorum's shares at zero.
func recombine(shares []*suite.Share) (x, y suite.Scalar, err error) {
	for _, share := range shares {
		weight := suite.Scalar{}
		weight.SetOne()
		var at, other, difference suite.Scalar
		at.SetUint64(uint64(share.Index()))
		for _, s := range shares {
			if s.Index() == share.Index() {
				continue
			}
			other.SetUint64(uint64(s.Index()))
			difference.Sub(&other, &at)
			weight.Mul(&weight, &other).Div(&weight, &difference)
		}
		xi, yi := share.Encode()
		if err := addWeighted(&x, xi, &weight); err != nil {
			return x, y, err
		}
		if err := addWeighted(&y, yi, &weight); err != nil {
			return x, y, err
		}
	}
	return x, y, nil
}

func addWeighted(sum *suite.Scalar, encoded []byte, weight *suite.Scalar) error {
	e, err := suite.DecodeScalar(encoded)
	if err != nil {
		return err
	}
	e.Mul(&e, weight)
	sum.Add(sum, &e)
	return nil
}

// secrets is the decoded simulator.json.
type secrets struct {
	x, y      suite.Scalar
	trapdoors map[string]*trapdoor.Trapdoor
}

func readSecrets(raw []byte) (*secrets, error) {
	var f secretsFile
	if err := json.Unmarshal(raw, &f); err != nil || f.Format != secretsFormat {
		return nil, fault.New(fault.KeysManifest, "simulator.json")
	}
	d := &decoder{}
	s := &secrets{x: d.field(f.X), y: d.field(f.Y), trapdoors: map[string]*trapdoor.Trapdoor{}}
	for i := range f.Circuits {
		c := &f.Circuits[i]
		read := trapdoor.Secrets{Alpha: d.field(c.Alpha), Beta: d.field(c.Beta), Gamma: d.field(c.Gamma), Delta: d.field(c.Delta)}
		for _, k := range c.K {
			read.K = append(read.K, d.field(k))
		}
		if d.err != nil {
			return nil, d.err
		}
		t, err := trapdoor.New(read)
		if err != nil {
			return nil, err
		}
		s.trapdoors[c.Name] = t
	}
	return s, d.err
}

// decoder keeps the first error of a series.
type decoder struct{ err error }

func (d *decoder) field(s string) suite.Field {
	b, err := hex.DecodeString(s)
	if err != nil && d.err == nil {
		d.err = fault.New(fault.KeysManifest, "simulator.json: hexadecimal")
	}
	v, err := suite.DecodeField(b)
	if d.err == nil {
		d.err = err
	}
	return v
}

func hexField(e *suite.Field) string { return hex.EncodeToString(suite.EncodeField(e)) }
