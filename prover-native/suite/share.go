package suite

import (
	"crypto/subtle"
	"runtime"
	"sync"

	"solidus.io/prover/fault"
)

// Share is one authority's part (x_i, y_i) of the signing key. It is safe for concurrent use. After Close it cannot sign.
type Share struct {
	mu     sync.RWMutex
	index  int
	x, y   Scalar
	closed bool
}

// NewShare decodes the share and clears the caller's bytes, also when it fails.
func NewShare(index int, x, y []byte) (*Share, error) {
	defer Wipe(x)
	defer Wipe(y)
	scrubStack()
	defer scrubStack()
	if index < 1 || index > MaxAuthorities {
		return nil, fault.Newf(fault.IndexOutOfRange, "index %d", index)
	}
	s := &Share{index: index}
	var err error
	if s.x, err = DecodeScalar(x); err != nil {
		return nil, err
	}
	if s.y, err = DecodeScalar(y); err != nil {
		return nil, err
	}
	if s.x.IsZero() || s.y.IsZero() {
		return nil, fault.New(fault.ShareInvalid, "a zero scalar")
	}
	return s, nil
}

// Index is the authority's index.
func (s *Share) Index() int { return s.index }

// Matches checks that the share belongs to this member, so that an authority with a stale or foreign share stops at start-up
// instead of sending partial signatures that every client refuses.
func (s *Share) Matches(m *Member) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return fault.New(fault.UnknownHandle, "the share is closed")
	}
	x, y := mulBase2(&s.x), mulBase2(&s.y)
	if s.index != m.Index || !x.Equal(&m.X) || !y.Equal(&m.Y) {
		return fault.Newf(fault.ShareInvalid, "not the share of authority %d", m.Index)
	}
	return nil
}

// Close clears the scalars. It waits for signing in progress.
func (s *Share) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.x, s.y, s.closed = Scalar{}, Scalar{}, true
}

// Encode returns the scalars for the dealer's file. Callers must wipe them.
func (s *Share) Encode() (x, y []byte) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return EncodeScalar(&s.x), EncodeScalar(&s.y)
}

// Equal compares two shares in constant time.
func (s *Share) Equal(o *Share) bool {
	x1, y1 := s.Encode()
	x2, y2 := o.Encode()
	defer func() { Wipe(x1); Wipe(y1); Wipe(x2); Wipe(y2) }()
	return s.index == o.index && subtle.ConstantTimeCompare(x1, x2)&subtle.ConstantTimeCompare(y1, y2) == 1
}

// scrubStack clears the part of the goroutine's stack that calls from its caller use. Called before the work too, it makes the
// stack large enough: a stack that grows is copied, and the old one keeps what it had.
//
//go:noinline
func scrubStack() {
	var unused [64 << 10]byte
	clear(unused[:])
	runtime.KeepAlive(&unused)
}

// sign returns h^x k^y.
func (s *Share) sign(h, k *G1) (G1, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return G1{}, fault.New(fault.UnknownHandle, "the share is closed")
	}
	r, err := maskedMul(h, k, &s.x, &s.y)
	if err != nil {
		return G1{}, err
	}
	return finite(r, "partial signature")
}
