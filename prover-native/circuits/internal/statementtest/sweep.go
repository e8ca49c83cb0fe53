package statementtest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
)

// Variable is one input of a circuit, with its path in the structure.
type Variable struct {
	Path string
	At   *frontend.Variable
}

// Variables lists every input of an assignment, which must be a pointer to a circuit.
func Variables(c frontend.Circuit) []Variable {
	var out []Variable
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch {
		case v.Type() == reflect.TypeFor[frontend.Variable]():
			out = append(out, Variable{path, v.Addr().Interface().(*frontend.Variable)})
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.Tag.Get("gnark") != "-" {
					walk(v.Field(i), path+"."+f.Name)
				}
			}
		case v.Kind() == reflect.Array || v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		}
	}
	walk(reflect.ValueOf(c).Elem(), "")
	return out
}

// windowStride selects a part of the many window bits, which are all alike.
const windowStride = 3

// EveryInputAlteredAlone changes each input of an honest assignment in three ways and leaves the others as they are:
// increased by one, negated, and moved by 2^64. No input is free, so every change must be refused. Of the window bits every
// third is tried.
func EveryInputAlteredAlone(t *testing.T, s circuittest.System, honest frontend.Circuit) {
	t.Helper()
	s.Accepts(t, honest)
	all := Variables(honest)
	if want := s.GetNbPublicVariables() - 1 + s.GetNbSecretVariables(); len(all) != want {
		t.Fatalf("walked %d inputs, the circuit has %d", len(all), want)
	}
	for i, v := range all {
		if strings.Contains(v.Path, ".Beta[") && i%windowStride != 0 {
			continue
		}
		before := *v.At
		x := element(t, before)
		for name, y := range alterations(x) {
			if y.Equal(&x) {
				continue // zero negated
			}
			*v.At = y
			if _, err := s.Solve(t, honest); err == nil {
				t.Errorf("%s accepted %s", v.Path, name)
			}
		}
		*v.At = before
	}
}

func alterations(x fr.Element) map[string]fr.Element {
	var plus, minus, shifted, two64 fr.Element
	one := fr.One()
	plus.Add(&x, &one)
	minus.Neg(&x)
	two64.SetUint64(1 << 63)
	two64.Double(&two64)
	shifted.Add(&x, &two64)
	return map[string]fr.Element{"plus one": plus, "negated": minus, "plus 2^64": shifted}
}

func element(t testing.TB, v frontend.Variable) fr.Element {
	t.Helper()
	var e fr.Element
	if _, err := e.SetInterface(v); err != nil {
		t.Fatal(err)
	}
	return e
}
