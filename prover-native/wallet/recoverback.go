package wallet

import (
	"crypto/sha256"
	"encoding/binary"
)

// What at most f authorities sign may be one liar's word. So many leads are looked at for it in a command, of which so many are the
// newest.
const (
	maxDoubtful    = 8
	newestDoubtful = 4
)

// passedPlaces are the places, among so many leads with the newest first, that a command looks at for a core that it does not know.
//
// A recover that completed is held by f+1 honest authorities at each serial number that it names, so where all answer, f+1 vouch for it
// and every lead is looked at. The gateway may leave answers out until f are left. So without f+1 it is the newest leads, and some
// of the others, which follow from the command: a later one looks at others, and a liar hides no true one for good.
func (r *run) passedPlaces(count int, vouched bool) (all []int) {
	count = min(count, maxPassed)
	first := count
	if !vouched && count > maxDoubtful {
		first = newestDoubtful
	}
	for place := range first {
		all = append(all, place)
	}
	if first == count {
		return all
	}
	sum := sha256.Sum256(append(u64(r.state.Task.Began), r.state.Task.ID...))
	from := int(binary.BigEndian.Uint32(sum[:]) % uint32(count-first))
	for i := range maxDoubtful - first {
		all = append(all, first+(from+i)%(count-first))
	}
	return all
}

// hasVouchedStranger reports whether f+1 authorities sign that one core, which cannot be placed in the account, holds a serial number.
func (f *family) hasVouchedStranger() bool {
	for _, holders := range f.holders {
		words := map[[32]byte]int{}
		for _, holder := range holders {
			if words[holder]++; words[holder] > f.net.committee.F && !f.isFamily(holder) {
				return true
			}
		}
	}
	return false
}
