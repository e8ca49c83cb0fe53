package cabi

import (
	"sync"

	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// cache holds values that are expensive to decode and occur in every call: a committee's keys, a network's constants. When it
// is full, it is emptied. That is rare, because the values come from the configuration of the process.
type cache[K comparable, V any] struct {
	mu      sync.RWMutex
	limit   int
	entries map[K]V
}

func (c *cache[K, V]) get(key K, compute func() (V, error)) (V, error) {
	c.mu.RLock()
	v, ok := c.entries[key]
	c.mu.RUnlock()
	if ok {
		return v, nil
	}
	v, err := compute()
	if err != nil {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || len(c.entries) >= c.limit {
		c.entries = map[K]V{}
	}
	c.entries[key] = v
	return v, nil
}

var (
	g2Points = cache[[suite.G2Bytes]byte, suite.G2]{limit: 4096}
	networks = cache[string, *statement.Network]{limit: 64}
)

// decodeG2 skips the subgroup check of a point that was decoded before.
func decodeG2(b []byte) (suite.G2, error) {
	return g2Points.get([suite.G2Bytes]byte(b), func() (suite.G2, error) { return suite.DecodeG2(b) })
}

func (r *reader) network() *statement.Network {
	id := string(r.sized())
	if r.err != nil {
		return nil
	}
	n, err := networks.get(id, func() (*statement.Network, error) { return statement.NewNetwork(id) })
	if err != nil {
		r.fail(err)
		return nil
	}
	return n
}
