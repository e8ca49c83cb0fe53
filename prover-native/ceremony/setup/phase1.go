package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	updates "github.com/consensys/gnark-crypto/ecc/bls12-381/mpcsetup"
	"github.com/consensys/gnark/backend/groth16/bls12-381/mpcsetup"

	"solidus.io/prover/ceremony"
)

// The constants by which gnark's phase 1 separates its three secrets, and its beacon from others.
const (
	dstTau = iota
	dstAlpha
	dstBeta

	phase1Beacon = "Groth16 MPC Setup - Phase 1"
)

// powers is gnark's Phase1 with accessible fields. The library can only read one by testing every point on one processor,
// and it cannot clear its secrets. Bytes and equations are the same, and a test compares the two.
type powers struct {
	commons   mpcsetup.SrsCommons
	proofs    [3]updates.UpdateProof
	challenge []byte
	digest    []byte // of the encoding
}

// powersSize is the size of a contribution for a domain of n, in bytes.
func powersSize(n int) int64 {
	return 3*proofBytes + 8 + g2Bytes*int64(n) + g1Bytes*(4*int64(n)-2) + challengeTrailer
}

// newPowers returns the initial state, in which all secrets are one.
func newPowers(n int) (*powers, error) {
	p := &powers{}
	c := &p.commons
	c.G1.Tau, c.G1.AlphaTau, c.G1.BetaTau = repeat(g1, 2*n-1), repeat(g1, n), repeat(g1, n)
	c.G2.Tau, c.G2.Beta = repeat(g2, n), g2
	_, err := p.encode()
	return p, err
}

func repeat[T any](v T, n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = v
	}
	return all
}

// encode encodes the powers as gnark does and stores the digest.
func (p *powers) encode() ([]byte, error) {
	var out bytes.Buffer
	out.Grow(int(powersSize(len(p.commons.G2.Tau))))
	for i := range p.proofs {
		if _, err := p.proofs[i].WriteTo(&out); err != nil {
			return nil, err
		}
	}
	if _, err := p.commons.WriteTo(&out); err != nil {
		return nil, err
	}
	out.WriteByte(byte(len(p.challenge)))
	out.Write(p.challenge)
	digest := sha256.Sum256(out.Bytes())
	p.digest = digest[:]
	return out.Bytes(), nil
}

// readPowers decodes a contribution for a domain of n. The caller already compared its size with powersSize.
func readPowers(raw []byte, n int) (p *powers, err error) {
	if int64(len(raw)) != powersSize(n) {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d bytes, want %d", len(raw), powersSize(n))
	}
	p = &powers{}
	c := &cursor{raw}
	for i := range p.proofs {
		if p.proofs[i], err = readProof(c); err != nil {
			return nil, err
		}
	}
	if got := binary.BigEndian.Uint64(c.take(8)); got != uint64(n) {
		return nil, ceremony.Refuse(ceremony.WrongSize, "a domain of %d, want %d", got, n)
	}
	if err := p.readPoints(c, n); err != nil {
		return nil, err
	}
	if p.challenge, err = readChallenge(c); err != nil {
		return nil, err
	}
	again, err := p.encode()
	if err != nil || !bytes.Equal(again, raw) {
		return nil, ceremony.Refuse(ceremony.NotAPoint, "a point is not in its canonical encoding")
	}
	return p, nil
}

func (p *powers) readPoints(c *cursor, n int) error {
	betaG2, tau1, tau2, betaTau, alphaTau := c.g2(1), c.g1(2*n-2), c.g2(n-1), c.g1(n), c.g1(n)
	if err := refuseKnownSecrets(tau1, n, betaTau, alphaTau); err != nil {
		return err
	}
	beta, err := betaG2.decodeG2()
	if err != nil {
		return err
	}
	p.commons.G2.Beta = beta[0]
	first, err := tau1.decodeG1(false)
	if err != nil {
		return err
	}
	p.commons.G1.Tau = append([]bls.G1Affine{g1}, first...)
	second, err := tau2.decodeG2()
	if err != nil {
		return err
	}
	p.commons.G2.Tau = append([]bls.G2Affine{g2}, second...)
	if p.commons.G1.BetaTau, err = betaTau.decodeG1(false); err != nil {
		return err
	}
	p.commons.G1.AlphaTau, err = alphaTau.decodeG1(false)
	return err
}

// refuseKnownSecrets refuses secrets with publicly known values: tau, alpha or beta of one, and a tau of the domain, at which
// the polynomial that every proof is divided by is zero. tau1 begins with the first power.
func refuseKnownSecrets(tau1 section, n int, betaTau, alphaTau section) error {
	for what, point := range map[string][]byte{
		"tau": tau1.at(0), "tau, a root of the domain": tau1.at(n - 1), "alpha": alphaTau.at(0), "beta": betaTau.at(0),
	} {
		if bytes.Equal(point, g1Encoded[:]) {
			return ceremony.Refuse(ceremony.Degenerate, "%s", what)
		}
	}
	return nil
}

func readChallenge(c *cursor) ([]byte, error) {
	if n := c.take(1)[0]; n != challengeTrailer-1 {
		return nil, ceremony.Refuse(ceremony.ChainBroken, "the digest of the contribution before is missing")
	}
	return append([]byte(nil), c.take(challengeTrailer-1)...), nil
}

// verify tells whether next follows on p: gnark's equations, over points that were all checked.
//
//spec:id K-03
func (p *powers) verify(next *powers) error {
	if !bytes.Equal(next.challenge, p.digest) {
		return ceremony.Refuse(ceremony.ChainBroken, "the contribution does not follow the one before it")
	}
	was, is := &p.commons, &next.commons
	for _, u := range []struct {
		name   string
		dst    byte
		values []updates.ValueUpdate
	}{
		{"tau", dstTau, []updates.ValueUpdate{{Previous: &was.G1.Tau[1], Next: &is.G1.Tau[1]}}},
		{"alpha", dstAlpha, []updates.ValueUpdate{{Previous: &was.G1.AlphaTau[0], Next: &is.G1.AlphaTau[0]}}},
		{"beta", dstBeta, []updates.ValueUpdate{
			{Previous: &was.G1.BetaTau[0], Next: &is.G1.BetaTau[0]}, {Previous: &was.G2.Beta, Next: &is.G2.Beta},
		}},
	} {
		if err := next.proofs[u.dst].Verify(p.digest, u.dst, u.values...); err != nil {
			return ceremony.Refuse(ceremony.WrongUpdate, "%s", u.name)
		}
	}
	if err := updates.SameRatioMany(is.G1.Tau, is.G2.Tau, is.G1.AlphaTau, is.G1.BetaTau); err != nil {
		return ceremony.Refuse(ceremony.WrongUpdate, "the powers are not powers of one number")
	}
	return nil
}

// contribute multiplies the secrets by fresh ones and returns the encoding of the result.
func (p *powers) contribute() ([]byte, error) {
	var secrets [3]fr.Element
	defer clear(secrets[:])
	p.challenge = p.digest
	for i := range secrets {
		var err error
		if secrets[i], err = draw(); err != nil {
			return nil, err
		}
		if p.proofs[i], err = proveUpdate(&secrets[i], p.challenge, byte(i)); err != nil {
			return nil, err
		}
	}
	p.update(&secrets[dstTau], &secrets[dstAlpha], &secrets[dstBeta])
	return p.encode()
}

// update multiplies tau, alpha and beta.
func (p *powers) update(tau, alpha, beta *fr.Element) {
	c := &p.commons
	n := beta.BigInt(new(big.Int))
	c.G2.Beta.ScalarMultiplication(&c.G2.Beta, n)
	wipe(n)
	parallel(len(c.G1.Tau), func(start, end int) {
		var power, scaled fr.Element
		n := new(big.Int)
		defer func() { power.SetZero(); scaled.SetZero(); wipe(n) }()
		power.Exp(*tau, big.NewInt(int64(start)))
		for i := start; i < end; i++ {
			power.BigInt(n)
			c.G1.Tau[i].ScalarMultiplication(&c.G1.Tau[i], n)
			if i < len(c.G2.Tau) {
				c.G2.Tau[i].ScalarMultiplication(&c.G2.Tau[i], n)
				scaled.Mul(&power, alpha).BigInt(n)
				c.G1.AlphaTau[i].ScalarMultiplication(&c.G1.AlphaTau[i], n)
				scaled.Mul(&power, beta).BigInt(n)
				c.G1.BetaTau[i].ScalarMultiplication(&c.G1.BetaTau[i], n)
			}
			power.Mul(&power, tau)
		}
	})
}

// seal applies the beacon's contribution, which every reader can repeat.
func (p *powers) seal(beacon []byte) *mpcsetup.SrsCommons {
	last := updates.BeaconContributions(p.digest, []byte(phase1Beacon), beacon, 3)
	p.update(&last[dstTau], &last[dstAlpha], &last[dstBeta])
	return &p.commons
}

// trim returns the powers for a smaller domain.
func trim(c *mpcsetup.SrsCommons, n int) (*mpcsetup.SrsCommons, error) {
	if n < 2 || n > len(c.G2.Tau) {
		return nil, fmt.Errorf("a domain of %d out of %d", n, len(c.G2.Tau))
	}
	t := &mpcsetup.SrsCommons{}
	t.G1.Tau, t.G2.Tau = c.G1.Tau[:2*n-1], c.G2.Tau[:n]
	t.G1.AlphaTau, t.G1.BetaTau = c.G1.AlphaTau[:n], c.G1.BetaTau[:n]
	t.G2.Beta = c.G2.Beta
	return t, nil
}
