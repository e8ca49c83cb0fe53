package baseline

import (
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	native "github.com/consensys/gnark-crypto/ecc/bw6-761/fr/mimc"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/std/hash/mimc"
)

// hasher is the in-circuit MiMC.
type hasher struct {
	api  frontend.API
	mimc mimc.MiMC
}

func newHasher(api frontend.API) (*hasher, error) {
	m, err := mimc.NewMiMC(api)
	if err != nil {
		return nil, err
	}
	return &hasher{api: api, mimc: m}, nil
}

func (h *hasher) sum(in ...frontend.Variable) frontend.Variable {
	h.mimc.Reset()
	h.mimc.Write(in...)
	return h.mimc.Sum()
}

// prf adds the key to the last message element (footnote 7 of the paper).
func (h *hasher) prf(key frontend.Variable, msg ...frontend.Variable) frontend.Variable {
	in := append([]frontend.Variable(nil), msg...)
	in[len(in)-1] = h.api.Add(in[len(in)-1], key)
	return h.sum(in...)
}

// hashOf is the same hash outside the circuit.
func hashOf(in ...fr.Element) fr.Element {
	h := native.NewMiMC()
	for i := range in {
		b := in[i].Bytes()
		h.Write(b[:]) // canonical 48 bytes: cannot fail
	}
	var out fr.Element
	out.SetBytes(h.Sum(nil))
	return out
}

func prfOf(key fr.Element, msg ...fr.Element) fr.Element {
	in := append([]fr.Element(nil), msg...)
	in[len(in)-1].Add(&in[len(in)-1], &key)
	return hashOf(in...)
}
