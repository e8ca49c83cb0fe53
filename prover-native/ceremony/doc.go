// Package ceremony holds the common parts of key ceremonies: refusals with stable codes, signed records, and files that are
// read within a size bound and never overwritten.
//
// A ceremony is a folder that its participants copy to each other. It contains no secrets, and no participant needs to trust the
// place where it lies: each message is signed by its author and names the record before it, and every reader of the folder
// can replay the ceremony. [solidus.io/prover/ceremony/setup] is the set-up of the circuits' keys. [solidus.io/prover/dkg]
// generates, refreshes and restores the committee's key shares.
package ceremony
