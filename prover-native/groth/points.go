package groth

import (
	"runtime"
	"sync"
	"sync/atomic"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/internal/g1"
)

// pointsAtATime bounds the memory of a batch of subgroup tests.
const pointsAtATime = 2048

// InSubgroupG1 reports whether all points, which are on the curve, are in the subgroup. It errs with probability 2^-129. The
// identity counts as a member.
func InSubgroupG1(points []bls.G1Affine) bool {
	return allChunks(len(points), func(start, end int) bool {
		batch := make([]*bls.G1Affine, 0, end-start)
		for i := start; i < end; i++ {
			batch = append(batch, &points[i])
		}
		return g1.InSubgroup(batch)
	})
}

// InSubgroupG2 reports the same for the second group, without error.
func InSubgroupG2(points []bls.G2Affine) bool {
	return allChunks(len(points), func(start, end int) bool {
		for i := start; i < end; i++ {
			if !points[i].IsInSubGroup() {
				return false
			}
		}
		return true
	})
}

// allChunks calls holds for every chunk, on all processors, until one fails.
func allChunks(n int, holds func(start, end int) bool) bool {
	var next atomic.Int64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+pointsAtATime-1)/pointsAtATime) {
		workers.Go(func() {
			for !failed.Load() {
				start := int(next.Add(pointsAtATime)) - pointsAtATime
				if start >= n {
					return
				}
				if !holds(start, min(n, start+pointsAtATime)) {
					failed.Store(true)
				}
			}
		})
	}
	workers.Wait()
	return !failed.Load()
}
