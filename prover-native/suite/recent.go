package suite

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"sync/atomic"

	"solidus.io/prover/internal/g1"
)

// recent is a cache of a bounded number of values that depend on public bytes only. A validator needs the same values when it
// verifies a request and again when it signs it. A newer key replaces an older one, and no goroutine waits for a lock.
type recent[K comparable, V any] struct {
	seed  maphash.Seed
	slots [recentSlots]atomic.Pointer[remembered[K, V]]
}

type remembered[K comparable, V any] struct {
	key   K
	value V
}

// recentSlots is enough for eight batches of two outputs.
const recentSlots = 1 << 12

func newRecent[K comparable, V any]() *recent[K, V] { return &recent[K, V]{seed: maphash.MakeSeed()} }

func (r *recent[K, V]) slot(key *K) *atomic.Pointer[remembered[K, V]] {
	return &r.slots[maphash.Comparable(r.seed, *key)%recentSlots]
}

func (r *recent[K, V]) get(key *K) (V, bool) {
	if found := r.slot(key).Load(); found != nil && found.key == *key {
		return found.value, true
	}
	var none V
	return none, false
}

func (r *recent[K, V]) put(key *K, value V) {
	r.slot(key).Store(&remembered[K, V]{key: *key, value: value})
}

// baseKey is a collision-resistant digest of all input of a base point.
type baseKey [sha256.Size]byte

func (s *PointchevalSanders) baseKey(o *Outputs, j int) baseKey {
	network, d := s.hasher.Network(), o.D.Bytes()
	in := append(make([]byte, 0, 256), network[:]...)
	in = append(in, d[:]...)
	in = binary.BigEndian.AppendUint32(in, o.Period)
	in = binary.BigEndian.AppendUint64(in, uint64(j))
	for i := range o.Cms {
		cm := o.Cms[i].Bytes()
		in = append(in, cm[:]...)
	}
	return sha256.Sum256(in)
}

var (
	bases = newRecent[baseKey, G1]()
	// members are points that passed the checks of curve and subgroup.
	members = newRecent[G1, struct{}]()
)

// InSubgroup reports whether all points, which are on the curve, are in the subgroup. For many points it errs with probability
// 2^-128.
func InSubgroup(points []*G1) bool { return g1.InSubgroup(points) }

// KnownInSubgroup is InSubgroup with a cache: it does not test points again that passed before, and remembers those that pass
// now.
func KnownInSubgroup(points []*G1) bool {
	unknown := make([]*G1, 0, len(points))
	for _, p := range points {
		if _, ok := members.get(p); !ok {
			unknown = append(unknown, p)
		}
	}
	if !InSubgroup(unknown) {
		return false
	}
	Remember(unknown...)
	return true
}

// Remember notes that these points, which are on the curve, are in the subgroup.
func Remember(points ...*G1) {
	for _, p := range points {
		members.put(p, struct{}{})
	}
}

// Forget empties the caches of the package, for measurements.
func Forget() {
	for i := range recentSlots {
		bases.slots[i].Store(nil)
		members.slots[i].Store(nil)
	}
}
