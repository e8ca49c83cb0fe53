// Package vectors holds test vectors in files that any language can read, beside this one.
//
// Every file has the form
//
//	{"name": ..., "about": ..., "cases": [{"name": ..., "op": ..., "in": {...}, "out": ... | "error": ...}]}
//
// Bytes are lower-case hexadecimal, integers are decimal strings, lists are arrays of them, texts are unchanged. A case has
// either an output or the name of the fault (package fault) with which its input is refused. Values are encoded as everywhere
// in the system, big endian and canonical: field elements and scalars of both kinds have 32 bytes, points of Jubjub 64 bytes
// x || y, points of G1 96 bytes x || y. An output of several values is their concatenation.
//
//	field.json       decoding of elements of F
//	scalar.json      decoding of exponents
//	g1.json, g2.json decoding of points: off the curve, outside the subgroup, identity, flags, lengths
//	jubjub.json      decoding of owner keys and their exponents; multiples and sums
//	network.json     network ids and their digests
//	hash.json        the permutation, every use of the hash over F, and a tree node
//	sanction.json    roots of small lists, neighbours of addresses, refused lists
//	statement.json   context, serial number of a mint, inputs digest D and core of each family
//	shapes.json      the same D and core of transfers of many, the seeds of their outputs, the details of their history entries
//	recover.json     serial numbers, D and core of recovers over transfers, and a history after a recover
//	blind.json       base point h_j of each output of a statement, blinded message k
//	link.json        the link of shown signatures and outputs to messages, from fixed nonces, step by step and whole
//	keysig.json      public and randomised keys, and signatures under them
//	wallet.json      the formats of a wallet (docs/spec/08-formats.md); the Java tests of the wallet make and check it
//	mail.json        tables of the mailbox and private queries (docs/spec/08-formats.md); likewise
//
// The inputs of each operation:
//
//	field, scalar, g1, g2: decode       bytes
//	jubjub: point, scalar               bytes
//	        multiply                    point, scalar
//	        add                         a, b
//	network: digest                     id
//	hash:   permutation                 x, y, z (lanes 0, 1, 2)
//	        node                        network (unused), x, y, z
//	        serial, commit, leaf, rhos  network, x, y
//	        apk, serialKey              network, nk, pkAuth
//	        serialOfKeys                network, nk, pkAuth, rho
//	        coin                        network, origin (0 payment, 1 mint, 2 own), value, apk, rho
//	        coinUnregulated             network, value, apk, rho
//	        escrow                      network, value, lock, rho
//	        compliance                  network, apk, rho, com, period, sent, count, held
//	        entry                       network, com, counterparty, r, paid, in1, in2, withdrawn, period, origin1, origin2,
//	                                    escrow (0 or 1)
//	        link                        network, salt, kappa (list), messages (list)
//	sanction: root                      network, keys (list of 20 bytes each)
//	        neighbours                  network, keys, apk
//	statement: context                  network, payout, memo
//	        mintSerial                  network, mintId
//	        inputDigest, core           network, family, and the fields of the family's statement
//	shapes: inputDigest, core           as those of statement, the family claim-16 or pay-8
//	        outputRhos                  network, seed, d, outputs (their number)
//	        details                     network, values, origins, paid (lists of integers), payees (list)
//	recover: serials, inputDigest, core network, serials1, cm1, k1, period1, withdrawn1, context1 of X1, the same with 2 of X2 (empty where it
//	                                    is X1), next (list), credits, cm, k (lists), context
//	        history                     network, coms (list), returned, outflow, budget, period, r
//	blind:  base                        network, d, period, cm (list, all outputs), index (j)
//	        blind                       the same, message, b
//	link:   commitment                  h (list), kappa (list), blindKappa
//	        challenge                   core, d, rk (empty in a mint), h (list), m (list), t, a
//	        respond                     c, kappa (list), blindKappa, messages (list), openings (list)
//	        prove                       network, core, d, rk, h, m, salt, kappa, blindKappa, messages, openings
//	        verify                      core, d, rk, h, m, link
//	keysig: publicKey                   a
//	        randomisedKey               pkAuth, alpha
//	        verify                      rk, core, signature
//
// The tests of this package compute the expected values with integers alone: the permutation and its round keys, the sponge,
// curve arithmetic and the digests are implemented a second time there. The packages under test are not used for that. The one
// exception is hashing to the curve, which comes from the library. The tests then run the packages on every case, and
// `go test ./vectors -update` rewrites the files.
package vectors
