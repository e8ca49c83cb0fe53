package suite

import (
	"solidus.io/prover/fault"
)

// Dealt is a committee key with all its shares.
type Dealt struct {
	Committee *Committee
	Shares    []*Share
}

// Close clears the shares.
func (d *Dealt) Close() {
	for _, s := range d.Shares {
		s.Close()
	}
}

// Deal draws (x, y) and shares them by polynomials of degree 2f. The dealer knows the key while it runs, which
// is why keys of this origin are of the development class.
//
//spec:id S-01
func (s *PointchevalSanders) Deal(f int) (*Dealt, error) {
	c := &Committee{F: f}
	if f < 1 || c.N() > MaxAuthorities {
		return nil, fault.Newf(fault.CommitteeInvalid, "f = %d", f)
	}
	px, err := randomPolynomial(2 * f)
	if err != nil {
		return nil, err
	}
	defer px.wipe()
	py, err := randomPolynomial(2 * f)
	if err != nil {
		return nil, err
	}
	defer py.wipe()
	c.X, c.Y, c.Y1 = mulBase2(&px[0]), mulBase2(&py[0]), mulBase(&py[0])
	d := &Dealt{Committee: c}
	for i := 1; i <= c.N(); i++ {
		x, y := px.at(i), py.at(i)
		share, err := NewShare(i, EncodeScalar(&x), EncodeScalar(&y))
		if err != nil {
			d.Close()
			return nil, err
		}
		d.Shares = append(d.Shares, share)
		c.Members = append(c.Members, Member{Index: i, X: mulBase2(&x), Y: mulBase2(&y), Gamma: mulBase(&y)})
		x.SetZero()
		y.SetZero()
	}
	return d, nil
}

// Refresh deals the shares of a key anew, as if a ceremony had: every share is added a value of a polynomial that is zero at
// 0. The key stays and the epoch grows by one. It takes all shares, so it is for development keys.
func (d *Dealt) Refresh() (*Dealt, error) {
	c := d.Committee
	if len(d.Shares) != c.N() {
		return nil, fault.Newf(fault.CommitteeInvalid, "%d shares of %d", len(d.Shares), c.N())
	}
	px, err := randomPolynomial(2 * c.F)
	if err != nil {
		return nil, err
	}
	defer px.wipe()
	py, err := randomPolynomial(2 * c.F)
	if err != nil {
		return nil, err
	}
	defer py.wipe()
	px[0].SetZero()
	py[0].SetZero()
	next := *c
	next.Epoch, next.Members = c.Epoch+1, nil
	fresh := &Dealt{Committee: &next}
	for i, old := range d.Shares {
		x, y := px.at(i+1), py.at(i+1)
		x.Add(&x, &old.x)
		y.Add(&y, &old.y)
		share, err := NewShare(i+1, EncodeScalar(&x), EncodeScalar(&y))
		if err != nil {
			fresh.Close()
			return nil, err
		}
		fresh.Shares = append(fresh.Shares, share)
		next.Members = append(next.Members, Member{
			Index: i + 1, X: mulBase2(&x), Y: mulBase2(&y), Gamma: mulBase(&y), NoteKey: c.Members[i].NoteKey,
		})
		x.SetZero()
		y.SetZero()
	}
	return fresh, nil
}
