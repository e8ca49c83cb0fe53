package setup

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/ceremony"
)

// Contributions of a dishonest contributor. Each is signed by the contributor, and of the right size except where the size is
// the fault.

// offsets in a contribution to phase 1 with a domain of n: three proofs, the domain, then the points.
const (
	domainAt = 3 * proofBytes
	betaG2At = domainAt + 8
	tau1At   = betaG2At + g2Bytes
)

func tau2At(n int) int     { return tau1At + (2*n-2)*g1Bytes }
func betaTauAt(n int) int  { return tau2At(n) + (n-1)*g2Bytes }
func alphaTauAt(n int) int { return betaTauAt(n) + n*g1Bytes }

func put(raw []byte, at int, point []byte) []byte {
	out := bytes.Clone(raw)
	copy(out[at:], point)
	return out
}

// smallG1 has order three.
func smallG1(t testing.TB) []byte {
	t.Helper()
	var p bls.G1Affine
	p.Y.SetUint64(2)
	if !p.IsOnCurve() || p.IsInSubGroup() {
		t.Fatal("not a point outside the subgroup")
	}
	raw := p.Bytes()
	return raw[:]
}

// outsideG2 has no component in the subgroup: it is r times a point of the curve.
func outsideG2(t testing.TB) bls.G2Affine {
	t.Helper()
	for n := uint64(1); ; n++ {
		var q bls.G2Affine
		var y2, b bls.E2
		q.X.A0.SetUint64(n)
		b.A0.SetUint64(4)
		b.A1.SetUint64(4)
		y2.Square(&q.X).Mul(&y2, &q.X).Add(&y2, &b)
		if y2.Legendre() != 1 {
			continue
		}
		q.Y.Sqrt(&y2)
		var sum, base bls.G2Jac
		sum.FromAffine(&bls.G2Affine{})
		base.FromAffine(&q)
		for i := fr.Modulus().BitLen() - 1; i >= 0; i-- {
			sum.DoubleAssign()
			if fr.Modulus().Bit(i) == 1 {
				sum.AddAssign(&base)
			}
		}
		q.FromJacobian(&sum)
		if !q.IsOnCurve() || q.IsInfinity() {
			t.Fatal("not a point outside the subgroup")
		}
		return q
	}
}

// offCurve has an x that no point has. Its last coefficient is small, the others are zero.
func offCurve(t testing.TB, size int) []byte {
	t.Helper()
	for x := byte(1); ; x++ {
		raw := make([]byte, size)
		raw[0], raw[size-1] = flagSmallest, x
		var err error
		if size == g1Bytes {
			_, err = new(bls.G1Affine).SetBytes(raw)
		} else {
			_, err = new(bls.G2Affine).SetBytes(raw)
		}
		if err != nil && !notInSubgroup(err) {
			return raw
		}
	}
}

func notInSubgroup(err error) bool { return bytes.Contains([]byte(err.Error()), []byte("subgroup")) }

//spec:id K-03
func TestHostilePoints(t *testing.T) {
	good := fileOf(t, copyOf(t, contributed1), "phase1/003.bin")
	const n = 8
	small1 := smallG1(t)
	outside := outsideG2(t)
	var mixed bls.G2Affine
	_, err := mixed.SetBytes(good[tau2At(n) : tau2At(n)+g2Bytes])
	must(t, err)
	mixed.Add(&mixed, &outside)
	alone2, mixed2 := outside.Bytes(), mixed.Bytes()
	identity1, identity2 := (&bls.G1Affine{}).Bytes(), (&bls.G2Affine{}).Bytes()
	nonCanonical := fp.Modulus().FillBytes(make([]byte, g1Bytes))
	nonCanonical[0] |= flagSmallest
	raw := bytes.Clone(good[tau1At : tau1At+g1Bytes])
	raw[0] &^= flagMask // the first half of an uncompressed point
	ones := g1Encoded[:]
	for name, c := range map[string]struct {
		want ceremony.Code
		raw  []byte
	}{
		"tau in G1 outside the subgroup":      {ceremony.WrongSubgroup, put(good, tau1At, small1)},
		"the last power outside the subgroup": {ceremony.WrongSubgroup, put(good, tau1At+(2*n-3)*g1Bytes, small1)},
		"alpha outside the subgroup":          {ceremony.WrongSubgroup, put(good, alphaTauAt(n), small1)},
		"tau in G2 outside the subgroup":      {ceremony.WrongSubgroup, put(good, tau2At(n), alone2[:])},
		"tau in G2 plus a point outside":      {ceremony.WrongSubgroup, put(good, tau2At(n), mixed2[:])},
		"beta in G2 outside the subgroup":     {ceremony.WrongSubgroup, put(good, betaG2At, alone2[:])},
		"a proof's commitment outside":        {ceremony.WrongSubgroup, put(good, 0, small1)},
		"a proof outside the subgroup":        {ceremony.WrongSubgroup, put(good, g1Bytes, alone2[:])},
		"the identity as a power":             {ceremony.IdentityPoint, put(good, tau1At+3*g1Bytes, identity1[:])},
		"the identity as beta":                {ceremony.IdentityPoint, put(good, betaTauAt(n), identity1[:])},
		"the identity as tau in G2":           {ceremony.IdentityPoint, put(good, tau2At(n), identity2[:])},
		"a contribution of zero":              {ceremony.IdentityPoint, put(good, 0, identity1[:])},
		"a contribution of one":               {ceremony.Degenerate, put(good, 0, ones)},
		"tau is one":                          {ceremony.Degenerate, put(good, tau1At, ones)},
		"tau is a root of the domain":         {ceremony.Degenerate, put(good, tau1At+(n-1)*g1Bytes, ones)},
		"alpha is one":                        {ceremony.Degenerate, put(good, alphaTauAt(n), ones)},
		"beta is one":                         {ceremony.Degenerate, put(good, betaTauAt(n), ones)},
		"off the curve":                       {ceremony.NotAPoint, put(good, tau1At, offCurve(t, g1Bytes))},
		"off the curve of G2":                 {ceremony.NotAPoint, put(good, tau2At(n), offCurve(t, g2Bytes))},
		"not below the modulus":               {ceremony.NotAPoint, put(good, tau1At, nonCanonical)},
		"not compressed":                      {ceremony.NotAPoint, put(good, tau1At, raw)},
		"another domain":                      {ceremony.WrongSize, domain(good, n/2)},
		"a domain that would take all memory": {ceremony.WrongSize, domain(good, 1<<40)},
		"no digest of what came before":       {ceremony.ChainBroken, trailer(good, 0)},
		"another digest of what came before":  {ceremony.ChainBroken, flipped(good, len(good)-1)},
		"cut":                                 {ceremony.WrongSize, good[:len(good)-1]},
		"longer":                              {ceremony.WrongSize, append(bytes.Clone(good), 0)},
		"empty":                               {ceremony.WrongSize, nil},
		"two powers exchanged":                {ceremony.WrongUpdate, exchange(good, tau1At+g1Bytes, tau1At+2*g1Bytes, g1Bytes)},
		"alpha and beta exchanged":            {ceremony.WrongUpdate, exchange(good, alphaTauAt(n), betaTauAt(n), g1Bytes)},
		"two powers of G2 exchanged":          {ceremony.WrongUpdate, exchange(good, tau2At(n), tau2At(n)+g2Bytes, g2Bytes)},
		"beta in G2 is another":               {ceremony.WrongUpdate, exchange(good, betaG2At, tau2At(n), g2Bytes)},
		"the proof of tau is that of alpha":   {ceremony.WrongUpdate, exchange(good, 0, proofBytes, proofBytes)},
		"the last power negated":              {ceremony.WrongUpdate, negated(t, good, tau1At+(2*n-3)*g1Bytes)},
	} {
		t.Run(name, func(t *testing.T) {
			place := copyOf(t, contributed1)
			swapIn(t, place, 1, c.raw)
			_, err := place.Verify()
			refused(t, err, c.want)
			if c.want != ceremony.WrongUpdate && c.want != ceremony.ChainBroken { // these a next contributor does not see
				refused(t, place.Contribute("Dora", "", newKey(t)), c.want)
			}
		})
	}
}

func domain(raw []byte, n uint64) []byte {
	out := bytes.Clone(raw)
	binary.BigEndian.PutUint64(out[domainAt:], n)
	return out
}

func trailer(raw []byte, n byte) []byte {
	out := bytes.Clone(raw)
	out[len(out)-challengeTrailer] = n
	return out
}

func flipped(raw []byte, at int) []byte {
	out := bytes.Clone(raw)
	out[at] ^= 1
	return out
}

// exchange exchanges n bytes at a with those at b.
func exchange(raw []byte, a, b, n int) []byte {
	out := bytes.Clone(raw)
	copy(out[a:a+n], raw[b:b+n])
	copy(out[b:b+n], raw[a:a+n])
	return out
}

func negated(t testing.TB, raw []byte, at int) []byte {
	t.Helper()
	var p bls.G1Affine
	_, err := p.SetBytes(raw[at : at+g1Bytes])
	must(t, err)
	p.Neg(&p)
	encoded := p.Bytes()
	return put(raw, at, encoded[:])
}

//spec:id K-04
func TestHostilePointsOfPhase2(t *testing.T) {
	template.Do(func() { prepare(t) })
	good := fileOf(t, copyOf(t, contributed2), "phase2/003-long.bin")
	s := copyOf(t, contributed2)
	tr, err := s.open()
	must(t, err)
	shape := tr.init.Circuits[0].shape()
	deltaAt, rowAt := 2, 2+g1Bytes
	zAt := rowAt + 4 + shape.private*g1Bytes
	g2At := zAt + 4 + shape.vanishing*g1Bytes
	proofAt := g2At + g2Bytes
	small1, outside, identity := smallG1(t), outsideG2(t), (&bls.G1Affine{}).Bytes()
	outside2 := outside.Bytes()
	count := func(at int, n uint32) []byte {
		out := bytes.Clone(good)
		binary.BigEndian.PutUint32(out[at:], n)
		return out
	}
	commitments := bytes.Clone(good)
	commitments[1] = 1
	for name, c := range map[string]struct {
		want ceremony.Code
		raw  []byte
	}{
		"delta outside the subgroup":          {ceremony.WrongSubgroup, put(good, deltaAt, small1)},
		"a private wire outside":              {ceremony.WrongSubgroup, put(good, rowAt+4, small1)},
		"a multiple of Z outside":             {ceremony.WrongSubgroup, put(good, zAt+4, small1)},
		"delta in G2 outside the subgroup":    {ceremony.WrongSubgroup, put(good, g2At, outside2[:])},
		"the proof outside the subgroup":      {ceremony.WrongSubgroup, put(good, proofAt+g1Bytes, outside2[:])},
		"delta is the identity":               {ceremony.IdentityPoint, put(good, deltaAt, identity[:])},
		"a multiple of Z is the identity":     {ceremony.IdentityPoint, put(good, zAt+4, identity[:])},
		"a wire that is used is the identity": {ceremony.WrongUpdate, put(good, rowAt+4, identity[:])},
		"a contribution of one":               {ceremony.Degenerate, put(good, proofAt, g1Encoded[:])},
		"delta is one":                        {ceremony.Degenerate, put(good, deltaAt, g1Encoded[:])},
		"commitments":                         {ceremony.Malformed, commitments},
		"a row that would take all memory":    {ceremony.WrongSize, count(rowAt, 1<<32-1)},
		"a shorter Z":                         {ceremony.WrongSize, count(zAt, uint32(shape.vanishing-1))},
		"cut":                                 {ceremony.WrongSize, good[:len(good)-g1Bytes]},
		"two wires exchanged":                 {ceremony.WrongUpdate, exchange(good, rowAt+4, rowAt+4+g1Bytes, g1Bytes)},
		"two multiples of Z exchanged":        {ceremony.WrongUpdate, exchange(good, zAt+4, zAt+4+g1Bytes, g1Bytes)},
		"made to something else":              {ceremony.ChainBroken, flipped(good, len(good)-1)},
		"the one before, again":               {ceremony.ChainBroken, fileOf(t, copyOf(t, contributed2), "phase2/002-long.bin")},
	} {
		t.Run(name, func(t *testing.T) {
			place := copyOf(t, contributed2)
			swapIn(t, place, 2, c.raw)
			_, err := place.Verify()
			refused(t, err, c.want)
		})
	}
}

// Contributions in another order, repeated, left out, of another ceremony, or signed by another key.
//
//spec:id K-02
func TestHostileRecords(t *testing.T) {
	edit := func(c *Ceremony, number int, change func(*Contribution)) {
		t.Helper()
		tr, err := c.open()
		must(t, err)
		contribution := tr.phase(1).contributions[number-1]
		change(&contribution)
		resign(t, c, &contribution, signerOf(tr.phase(1).signers[number-1].key))
	}
	for name, c := range map[string]struct {
		want   ceremony.Code
		change func(c *Ceremony)
	}{
		"swapped files": {ceremony.WrongDigest, func(c *Ceremony) {
			second, third := fileOf(t, c, "phase1/002.bin"), fileOf(t, c, "phase1/003.bin")
			must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/002.bin"), third, 0o644))
			must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/003.bin"), second, 0o644))
		}},
		"swapped contributions": {ceremony.ChainBroken, func(c *Ceremony) {
			second, third := fileOf(t, c, "phase1/002.json"), fileOf(t, c, "phase1/003.json")
			must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/002.json"), third, 0o644))
			must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/003.json"), second, 0o644))
		}},
		"the second one again": {ceremony.ChainBroken, func(c *Ceremony) {
			for _, ext := range []string{".json", ".bin"} {
				must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/003"+ext), fileOf(t, c, "phase1/002"+ext), 0o644))
			}
		}},
		"the second one's file again": {ceremony.ChainBroken, func(c *Ceremony) {
			swapIn(t, c, 1, fileOf(t, c, "phase1/002.bin"))
		}},
		"left out": {ceremony.Surplus, func(c *Ceremony) {
			must(t, os.Remove(filepath.Join(c.Dir, "phase1/002.json")))
		}},
		"another ceremony": {ceremony.OtherCeremony, func(c *Ceremony) {
			edit(c, 3, func(x *Contribution) { x.Ceremony = x.Ceremony[1:] + "0" })
		}},
		"another number": {ceremony.ChainBroken, func(c *Ceremony) {
			tr, err := c.open()
			must(t, err)
			x := tr.phase(1).contributions[2]
			x.Number = 4
			raw, err := ceremony.Sign(template.keys[2], kindContribution, &x)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/003.json"), raw, 0o644))
		}},
		"another signer's signature": {ceremony.WrongSignature, func(c *Ceremony) {
			raw := fileOf(t, c, "phase1/003.json")
			at := bytes.Index(raw, []byte(`"signature":"`)) + len(`"signature":"`)
			copy(raw[at:], bytes.Repeat([]byte("0"), 128))
			must(t, os.WriteFile(filepath.Join(c.Dir, "phase1/003.json"), raw, 0o644))
		}},
		"twice the same person": {ceremony.Repeated, func(c *Ceremony) {
			tr, err := c.open()
			must(t, err)
			x := tr.phase(1).contributions[2]
			resign(t, c, &x, template.keys[0])
		}},
		"an invalid name": {ceremony.Malformed, func(c *Ceremony) {
			edit(c, 3, func(x *Contribution) { x.Name = "Cleo\x1b[2J" })
		}},
		"a file elsewhere": {ceremony.WrongSize, func(c *Ceremony) {
			edit(c, 3, func(x *Contribution) { x.Files[0].Name = "../../secret" })
		}},
		"a link": {ceremony.WrongSize, func(c *Ceremony) {
			path := filepath.Join(c.Dir, "phase1/003.bin")
			must(t, os.Rename(path, path+".moved"))
			must(t, os.Rename(path+".moved", filepath.Join(filepath.Dir(c.Dir), "elsewhere")))
			must(t, os.Symlink(filepath.Join(filepath.Dir(c.Dir), "elsewhere"), path))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			place := copyOf(t, contributed1)
			c.change(place)
			_, err := place.Verify()
			refused(t, err, c.want)
		})
	}
}

func TestBeacons(t *testing.T) {
	c := copyOf(t, contributed1)
	refused(t, c.EndPhase("0011", "x", template.coordinator), ceremony.WrongBeacon)
	refused(t, c.EndPhase("zz", "x", template.coordinator), ceremony.WrongBeacon)
	refused(t, c.EndPhase(firstValue, "x", template.keys[0]), ceremony.WrongSigner)
	refused(t, c.EndPhase(firstValue, "", template.coordinator), ceremony.Malformed)
	c = copyOf(t, contributed2)
	refused(t, c.EndPhase(firstValue, "x", template.coordinator), ceremony.WrongBeacon)
	c = copyOf(t, ended2)
	refused(t, c.EndPhase(firstValue, "x", template.coordinator), ceremony.WrongPhase)
	refused(t, c.Contribute("Dora", "", newKey(t)), ceremony.WrongPhase)
	refused(t, copyOf(t, contributed1).Contribute("Ada", "", newKey(t)), ceremony.Repeated)
	refused(t, copyOf(t, contributed1).Contribute("Dora", "", template.keys[1]), ceremony.Repeated)

	// another value gives other keys, and the same contributions
	c = copyOf(t, contributed2)
	must(t, c.EndPhase(secondValue[2:]+"00", "x", template.coordinator))
	one, err := c.Verify()
	must(t, err)
	two, err := copyOf(t, ended2).Verify()
	must(t, err)
	if one.Circuits[0].VerifyingKey.G1.Delta.Equal(&two.Circuits[0].VerifyingKey.G1.Delta) || one.Digest == two.Digest {
		t.Error("the beacon does not count")
	}
}

func TestTooFewContributions(t *testing.T) {
	key := newKey(t)
	c := &Ceremony{Dir: filepath.Join(t.TempDir(), "x"), Circuits: circuits(t), Coordinator: key.Public().(ed25519.PublicKey)}
	refused(t, c.Init("setup-test", "regulated", 0, "a lottery", key), ceremony.TooFew)
	must(t, c.Init("setup-test", "regulated", 1, "a lottery", key))
	refused(t, c.Init("setup-test", "regulated", 1, "a lottery", key), ceremony.Exists)
	refused(t, c.EndPhase(firstValue, "x", key), ceremony.TooFew)
}

//spec:id K-02
func TestOtherCircuits(t *testing.T) {
	c := copyOf(t, ended2)
	c.Circuits = circuits(t)[:1]
	_, err := c.Verify()
	refused(t, err, ceremony.WrongCircuit)
	c.Circuits = circuits(t)
	c.Circuits[1] = compileChain(t, "short", 3)
	_, err = c.Verify()
	refused(t, err, ceremony.WrongCircuit)
	c = copyOf(t, ended2)
	for _, other := range []ed25519.PublicKey{newKey(t).Public().(ed25519.PublicKey), nil} {
		c.Coordinator = other
		_, err = c.Verify()
		refused(t, err, ceremony.WrongSigner)
	}
}

// Two colluding contributors can undo each other's factor. They cannot set tau to one, which every reader would see.
//
//spec:id K-03
func TestFactorsThatCancel(t *testing.T) {
	p, err := newPowers(4)
	must(t, err)
	var x, one fr.Element
	one.SetOne()
	x.SetUint64(5)
	step := func(x fr.Element) []byte {
		p.challenge = p.digest
		for i := range p.proofs {
			p.proofs[i], err = proveUpdate(&x, p.challenge, byte(i))
			must(t, err)
		}
		p.update(&x, &x, &x)
		raw, err := p.encode()
		must(t, err)
		return raw
	}
	first := step(x)
	_, err = readPowers(first, 4)
	must(t, err)
	x.Inverse(&x)
	_, err = readPowers(step(x), 4)
	refused(t, err, ceremony.Degenerate)
}

func TestFreshFactors(t *testing.T) {
	seen := map[string]bool{}
	for range 32 {
		x, err := draw()
		must(t, err)
		if x.IsZero() || x.IsOne() || seen[x.String()] || x.BigInt(new(big.Int)).BitLen() < 180 {
			t.Error(x.String())
		}
		seen[x.String()] = true
	}
}

// A set-up of the circuits of a network is none for its shapes, nor one for shapes of another manifest.
//
//spec:id K-13
func TestASetUpBelongsToOneManifest(t *testing.T) {
	c := copyOf(t, contributed1)
	c.Manifest = strings.Repeat("ab", 32)
	_, err := c.Verify()
	refused(t, err, ceremony.OtherCeremony)
	c = &Ceremony{
		Dir: t.TempDir(), Circuits: circuits(t), Manifest: strings.Repeat("ab", 32), Coordinator: template.coordinator.Public().(ed25519.PublicKey),
	}
	must(t, c.Init("setup-test", "regulated", 1, "a lottery", template.coordinator))
	_, err = c.Verify()
	must(t, err)
	for _, other := range []string{"", strings.Repeat("cd", 32)} {
		c.Manifest = other
		_, err := c.Verify()
		refused(t, err, ceremony.OtherCeremony)
		refused(t, c.Contribute("Ada", "", template.keys[0]), ceremony.OtherCeremony)
		refused(t, c.EndPhase(firstValue, "draw 1", template.coordinator), ceremony.OtherCeremony)
	}
	c.Dir, c.Manifest = t.TempDir(), "not a digest"
	refused(t, c.Init("setup-test", "regulated", 1, "a lottery", template.coordinator), ceremony.Malformed)
}
