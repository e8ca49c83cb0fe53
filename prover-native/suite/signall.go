package suite

import "solidus.io/prover/fault"

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
	all := make([]*Outputs, len(orders))
	for i := range orders {
		all[i] = orders[i].outputs()
	}
	s.PrepareBases(all)
	var pairs []signingPair
	for i := range orders {
		if refused[i] != nil {
			continue
		}
		signed[i] = make([]G1, len(orders[i].Coins))
		for j := range orders[i].Coins {
			h, err := s.BlindBase(all[i], j)
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
	return maskedMulAll(pairs, &s.x, &s.y)
}
