package dkg

import (
	"crypto/sha512"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

// challenge hashes a context and points to a scalar.
func challenge(context string, points ...[]string) scalar {
	h := sha512.New()
	h.Write([]byte(context))
	for _, row := range points {
		h.Write([]byte{0})
		for _, p := range row {
			h.Write([]byte(p)) // of fixed length
		}
	}
	return reduce(h.Sum(nil))
}

// revealed holds the coefficients of a dealer's rows as exponents, without the constant term where there is a root.
type revealed struct {
	rows  [][]g2
	first []g1 // of the row in both groups
}

// prove shows for every coefficient a with commitment C = g2^a h^b that A = g2^a (and B = g1^a in the row of both
// groups) and that a and b are known: T = g2^t, U = h^u, V = g1^t, z = t + c a, w = u + c b. A prover with both has no other
// a for that commitment, or has the logarithm of h. It is the dealer's proof of possession of its part of the key, too.
func prove(context string, values, blinds []polynomial, rows []row, r *Reveal) error {
	t, u := make([][]scalar, len(values)), make([][]scalar, len(values))
	defer wipeRows(t)
	defer wipeRows(u)
	points := append([][]string{r.First}, r.Rows...)
	for i := range values {
		ts, us, vs := []g2{}, []g2{}, []g1{}
		for range values[i] {
			a, err := fresh()
			if err != nil {
				return err
			}
			b, err := fresh()
			if err != nil {
				return err
			}
			t[i], u[i] = append(t[i], a), append(u[i], b)
			ts, us, vs = append(ts, mul2(&base2, &a)), append(us, mul2(&pedersenBase, &b)), append(vs, mul1(&base1, &a))
		}
		encoded, err := encodeNonces(ts, us, vs, rows[i].both)
		if err != nil {
			return err
		}
		points = append(points, encoded)
	}
	c := challenge(context, points...)
	r.Proof = RevealProof{Challenge: encodeScalars([]scalar{c})[0]}
	for i := range values {
		z, w := make([]scalar, len(values[i])), make([]scalar, len(values[i]))
		for k := range z {
			z[k].Mul(&c, &values[i][k]).Add(&z[k], &t[i][k])
			w[k].Mul(&c, &blinds[i][k]).Add(&w[k], &u[i][k])
		}
		r.Proof.Value, r.Proof.Blind = append(r.Proof.Value, encodeScalars(z)), append(r.Proof.Blind, encodeScalars(w))
	}
	return nil
}

func encodeNonces(ts, us []g2, vs []g1, both bool) ([]string, error) {
	all, err := encode2(append(ts, us...))
	if err == nil && both {
		var more []string
		more, err = encode1(vs)
		all = append(all, more...)
	}
	return all, err
}

func wipeRows(rows [][]scalar) {
	for _, r := range rows {
		clear(r)
	}
}

// checkReveal decodes a reveal and verifies it against the dealer's commitments.
//
//spec:id D-06
func checkReveal(context string, r *Reveal, commitments [][]g2, rows []row) (*revealed, error) {
	out, err := decodeReveal(r, commitments, rows)
	if err != nil {
		return nil, err
	}
	c, err := decodeScalar(r.Proof.Challenge)
	if err != nil {
		return nil, err
	}
	var minus scalar
	minus.Neg(&c)
	points := append([][]string{r.First}, r.Rows...)
	for i := range rows {
		n := len(commitments[i])
		z, err := decodeScalars(r.Proof.Value[i], n)
		if err != nil {
			return nil, err
		}
		w, err := decodeScalars(r.Proof.Blind[i], n)
		if err != nil {
			return nil, err
		}
		ts, us, vs := make([]g2, n), make([]g2, n), make([]g1, n)
		for k := range n {
			a := &out.rows[i][k]
			rest := sub2(commitments[i][k], *a)
			ts[k] = add2(mul2(&base2, &z[k]), mul2(a, &minus))
			us[k] = add2(mul2(&pedersenBase, &w[k]), mul2(&rest, &minus))
			if rows[i].both {
				v, e := mul1(&base1, &z[k]), mul1(&out.first[k], &minus)
				vs[k].Add(&v, &e)
			}
		}
		encoded, err := encodeNonces(ts, us, vs, rows[i].both)
		if err != nil {
			return nil, ceremony.Refuse(ceremony.WrongProof, "a nonce is the identity")
		}
		points = append(points, encoded)
	}
	if again := challenge(context, points...); !again.Equal(&c) {
		return nil, ceremony.Refuse(ceremony.WrongProof, "the proof that these coefficients were committed to does not verify")
	}
	return out, nil
}

func decodeReveal(r *Reveal, commitments [][]g2, rows []row) (*revealed, error) {
	if len(r.Rows) != len(rows) || len(r.Proof.Value) != len(rows) || len(r.Proof.Blind) != len(rows) {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d rows, want %d", len(r.Rows), len(rows))
	}
	out := &revealed{}
	for i := range rows {
		points, err := decode2(r.Rows[i], len(commitments[i]))
		if err != nil {
			return nil, err
		}
		out.rows = append(out.rows, points)
		if rows[i].both {
			if out.first, err = decode1(r.First, len(commitments[i])); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// proveShare is the proof of possession of a share: both exponents of the member's public keys, bound to the context.
func proveShare(context string, x, y *scalar, c *Confirmation) error {
	var t [2]scalar
	defer clear(t[:])
	var nonces []g2
	for i := range t {
		var err error
		if t[i], err = fresh(); err != nil {
			return err
		}
		nonces = append(nonces, mul2(&base2, &t[i]))
	}
	encoded, err := encode2(nonces)
	if err != nil {
		return err
	}
	e := challenge(context, encoded)
	z := make([]scalar, 2)
	for i, s := range []*scalar{x, y} {
		z[i].Mul(&e, s).Add(&z[i], &t[i])
	}
	c.Challenge, c.Response = encodeScalars([]scalar{e})[0], encodeScalars(z)
	return nil
}

//spec:id D-07
func checkShareProof(context string, m *suite.Member, c *Confirmation) error {
	e, err := decodeScalar(c.Challenge)
	if err != nil {
		return err
	}
	z, err := decodeScalars(c.Response, 2)
	if err != nil {
		return err
	}
	var minus scalar
	minus.Neg(&e)
	nonces := []g2{
		add2(mul2(&base2, &z[0]), mul2(&m.X, &minus)),
		add2(mul2(&base2, &z[1]), mul2(&m.Y, &minus)),
	}
	encoded, err := encode2(nonces)
	if err != nil {
		return ceremony.Refuse(ceremony.WrongProof, "a nonce is the identity")
	}
	if again := challenge(context, encoded); !again.Equal(&e) {
		return ceremony.Refuse(ceremony.WrongProof, "the proof of possession of authority %d does not verify", m.Index)
	}
	return nil
}
