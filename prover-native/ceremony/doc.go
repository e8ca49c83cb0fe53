// Package ceremony holds what key ceremonies have in common: refusals with stable codes, signed records, and files that are
// read within a bound and never overwritten.
//
// A ceremony is a folder that its participants copy to each other. Nothing in it is secret, and nobody needs to trust the
// place it lies in: each message is signed by its author and names what came before it, and whoever has the folder replays
// the ceremony. [solidus.io/prover/ceremony/setup] is the set-up of the circuits' keys, [solidus.io/prover/dkg] the making,
// refreshing and restoring of the committee's key shares.
package ceremony
