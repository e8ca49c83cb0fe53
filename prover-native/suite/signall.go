package suite

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/internal/g1"
)

// OutputsToSign requests the signatures on all blinded coins of one statement.
type OutputsToSign struct {
	D      Field
	Period uint32
	Coins  []Blinded
}

// outputs is what the bases of the coins depend on.
func (o *OutputsToSign) outputs() *Outputs {
	all := &Outputs{D: o.D, Period: o.Period, Cms: make([]Field, len(o.Coins))}
	for j := range o.Coins {
		all.Cms[j] = o.Coins[j].Cm
	}
	return all
}

// Blinded is a blinded coin as a signer receives it.
type Blinded struct {
	Cm Field
	K  G1
}

// SignAll is Sign for the coins of many orders at a fraction of the cost, in the calling goroutine. It returns the same
// signatures, and for each order the error of the first coin that Sign would refuse. The error of the call is about the
// share.
func (s *PointchevalSanders) SignAll(share *Share, orders []OutputsToSign) (signed [][]G1, refused []error, err error) {
	signed, refused = make([][]G1, len(orders)), make([]error, len(orders))
	checkCoins(orders, refused)
	var pairs []signingPair
	for i := range orders {
		if refused[i] != nil {
			continue
		}
		signed[i] = make([]G1, len(orders[i].Coins))
		outputs := orders[i].outputs()
		for j := range orders[i].Coins {
			h, err := s.BlindBase(outputs, j)
			if err != nil {
				refused[i] = err
				break
			}
			pairs = append(pairs, signingPair{h: h, k: orders[i].Coins[j].K, into: &signed[i][j]})
		}
	}
	if err := share.signPairs(pairs); err != nil {
		return nil, nil, err
	}
	for i := range orders {
		for j := range signed[i] {
			if refused[i] == nil {
				_, refused[i] = finite(signed[i][j], "partial signature")
			}
		}
		if refused[i] != nil {
			signed[i] = nil
		}
	}
	return signed, refused, nil
}

// checkCoins checks the points of all orders.
func checkCoins(orders []OutputsToSign, refused []error) {
	var points []*G1
	for i := range orders {
		for j := range orders[i].Coins {
			k := &orders[i].Coins[j].K
			if refused[i] = CheckOnCurve(k); refused[i] != nil {
				break
			}
			points = append(points, k)
		}
	}
	if KnownInSubgroup(points) {
		return
	}
	for i := range orders {
		for j := range orders[i].Coins {
			if refused[i] == nil {
				refused[i] = CheckG1(&orders[i].Coins[j].K)
			}
		}
	}
}

// signingPair is a base, a blinded coin and the place for their signature.
type signingPair struct {
	h, k G1
	into *G1
}

// signPairs computes h^x k^y for every pair.
func (s *Share) signPairs(pairs []signingPair) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return fault.New(fault.UnknownHandle, "the share is closed")
	}
	for len(pairs) > 0 {
		n := min(len(pairs), maskedAtATime)
		if err := s.signSome(pairs[:n]); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}

func (s *Share) signSome(pairs []signingPair) error {
	if len(pairs) >= maskedFrom {
		return maskedMulAll(pairs, &s.x, &s.y)
	}
	for i := range pairs {
		p, err := maskedMul(&pairs[i].h, &pairs[i].k, &s.x, &s.y)
		if err != nil {
			return err
		}
		*pairs[i].into = p
	}
	return nil
}

const (
	// maskedFrom is the number of pairs from which additions that share inversions are cheaper than projective ones.
	maskedFrom = 12
	// maskedAtATime keeps the tables in the processor's cache: 6 KB for each pair.
	maskedAtATime = 64
	maskedWindow  = 5
	maskedTable   = 1 << (maskedWindow - 1)
	maskedDigits  = (128 + maskedWindow) / maskedWindow // halves of 128 bits, and a bit to spare for the carry
)

// maskedMulAll is maskedMul for many pairs in step. Each pair has its own fresh random summands of the share's scalars, and
// only those are used: two summands of x and two of y, halved by the endomorphism, in signed digits of five bits.
func maskedMulAll(pairs []signingPair, x, y *Scalar) error {
	digits := make([][4][2][maskedDigits]int16, len(pairs))
	defer clear(digits)
	for i := range digits {
		if err := maskDigits(digits[i][:2], x); err != nil {
			return err
		}
		if err := maskDigits(digits[i][2:], y); err != nil {
			return err
		}
	}
	var s g1.Adder
	tables := signingTables(&s, pairs)
	sums := make([]G1, len(pairs))
	for w := maskedDigits - 1; w >= 0; w-- {
		for range maskedWindow {
			s.DoubleAll(sums)
		}
		for part := range 4 {
			for image := range 2 {
				for i := range sums {
					t := &tables[i][part/2][image]
					if d := digits[i][part][image][w]; d > 0 {
						s.Add(&sums[i], &sums[i], &t[d-1])
					} else if d < 0 {
						s.Subtract(&sums[i], &sums[i], &t[-d-1])
					}
				}
				s.Flush()
			}
		}
	}
	for i := range sums {
		*pairs[i].into = sums[i]
	}
	return nil
}

// maskDigits splits a secret scalar into two random summands and writes both in digits.
func maskDigits(into [][2][maskedDigits]int16, secret *Scalar) error {
	mask, err := randomScalar()
	if err != nil {
		return err
	}
	var rest Scalar
	rest.Sub(secret, &mask)
	for i, part := range []*Scalar{&mask, &rest} {
		u, v := split(part)
		u.Recode(maskedWindow, into[i][0][:])
		v.Recode(maskedWindow, into[i][1][:])
		part.SetZero()
	}
	return nil
}

// signingTables returns 1 to 16 times h, phi(h), k and phi(k) of every pair.
func signingTables(s *g1.Adder, pairs []signingPair) [][2][2][maskedTable]G1 {
	tables := make([][2][2][maskedTable]G1, len(pairs))
	for d := range maskedTable {
		for i := range pairs {
			for side, p := range []*G1{&pairs[i].h, &pairs[i].k} {
				t := &tables[i][side][0]
				switch {
				case d == 0:
					t[0] = *p
				case d&1 == 1:
					s.Double(&t[d], &t[d/2])
				default:
					s.Add(&t[d], &t[d-1], p)
				}
			}
		}
		s.Flush()
	}
	for i := range tables {
		for side := range tables[i] {
			for d := range maskedTable {
				tables[i][side][1][d] = g1.Image(&tables[i][side][0][d])
			}
		}
	}
	return tables
}
