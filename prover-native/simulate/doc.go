// Package simulate makes accepting proofs for any public inputs, and whole transfers without an owner, under load-test keys.
//
// It is the zero-knowledge simulator of page 3 of the specification: with the trapdoors of a verifying key no witness is needed
// for a Groth16 proof, and with openings of the linked points no message for the link. Load tests use it to send any number of
// distinct requests that a validator verifies in full, at a cost below the validator's own. Its keys are of the class load-test
// (see package keys), which only load tests open. No shipped library or service contains this package, and a test checks that.
//
// The secrets here are worthless by construction. So unlike the rest of the module this package does not mask or wipe them,
// and uses tables to multiply fast.
package simulate
