// Package g1 works on many points of BLS12-381's first group at once: additions that share inversions, tests of the subgroup that
// share their work, hashing to the group, and multiplication by secret scalars (Steps). Its functions run in the calling
// goroutine. All but those of Steps take time that depends on the points.
package g1
