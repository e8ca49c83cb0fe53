// Package vectors holds test vectors in files that any language can read, beside this one.
//
// Every file has the form
//
//	{"name": ..., "about": ..., "cases": [{"name": ..., "op": ..., "in": {...}, "out": ... | "error": ...}]}
//
// Bytes are lower-case hexadecimal, integers are decimal strings, lists are arrays of them, texts are unchanged. A case has
// either an output or the name of the fault (package fault) with which its input is refused. Points, field elements and
// scalars are encoded as everywhere in the system: 96 bytes x || y, 48 and 32 bytes, big endian, canonical.
//
//	field.json       decoding of elements of F
//	scalar.json      decoding of exponents
//	g1.json, g2.json decoding of points: off the curve, outside the subgroup, identity, flags, lengths
//	network.json     network ids and their digests
//	hash.json        every use of the hash over F, and a tree node
//	sanction.json    roots of small lists, neighbours of addresses, refused lists
//	statement.json   context, serial number of a mint, inputs digest D and core of each family
//	blind.json       exponent of a message, base point h, blinded message k
//	keysig.json      randomised keys and signatures under them
//
// The tests of this package compute the expected values with integers alone: the permutation, the sponge, curve arithmetic
// and the digests are implemented a second time there. The packages under test are not used for that. The one exception is
// hashing to the curve, which comes from the library. The tests then run the packages on every case, and `go test ./vectors
// -update` rewrites the files.
package vectors
