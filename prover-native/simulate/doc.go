// Package simulate makes accepting proofs for any public inputs, and whole transfers nobody owns, under load-test keys.
//
// It is the zero-knowledge simulator of Groth16: whoever knows the trapdoors of a verifying key needs no witness. Load tests
// use it to send any number of distinct requests that a validator verifies in full, at a cost below the validator's own.
// Its keys are of the class load-test (see package keys), which nothing but a load test opens; no shipped library or
// service contains this package, and a test holds it to that.
//
// Secrets here are worth nothing by construction, so unlike the rest of the module this package does not mask or wipe them,
// and its multiplications are as fast as tables make them.
package simulate
