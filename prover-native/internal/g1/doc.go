// Package g1 works on many points of BLS12-381's first group at once: additions that share inversions, and tests of the subgroup
// that share their work. Its functions run in the calling goroutine, and take time that depends on the points.
package g1
