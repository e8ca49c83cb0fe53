// Package dkg makes the committee's threshold key without a dealer, refreshes its shares, and restores a lost one.
//
// The key is that of package suite: x and y, shared by polynomials of degree 2f among N = 3f+1 authorities. The protocol is
// that of Gennaro, Jarecki, Krawczyk and Rabin ("Secure distributed key generation for discrete-log based cryptosystems"),
// for two secrets at once, over a bulletin folder:
//
//	deal      every authority deals random polynomials: Pedersen commitments, and each recipient's share sealed to her
//	complain  recipients name dealers whose share does not fit the commitments
//	justify   accused dealers publish the shares in question; who cannot is out. Now the dealers that count are fixed
//	reveal    these dealers publish g2^a for their coefficients (and g1^a for y), proven to be those they committed to
//	open      where a dealer did not reveal, the others publish her shares and everybody computes her polynomials
//	confirm   every authority proves that she has the share that follows
//
// Pedersen commitments hide perfectly, so until the dealers are fixed nobody knows anything about the key that will come out,
// and afterwards nobody can leave: a dealer who stays silent is opened. The key is uniform whatever f authorities do, however
// late they speak and however they choose their messages by those of others. With commitments of Feldman alone the last
// speaker could choose among 2^f keys.
//
// A refresh runs the same rounds with polynomials that are zero at 0, added to the shares there are. A recovery is a refresh
// in which the dealers also deal masks that are zero at the index of the one who lost her share; the others send her their
// masked shares in a further round,
//
//	help
//
// from which she computes hers and nothing else.
//
// The coordinator closes each round with a signed list of the messages that count, and each message names the list before
// it. So all agree on what was said, a second message of the same author counts for nothing, and messages of another ceremony
// fit nowhere. The coordinator learns nothing and cannot forge; it can leave messages out, which the author sees, and which
// stops the ceremony where more than f are left out.
//
// Commitments to x are in the second group only: g1^x exists nowhere (package suite says why).
package dkg
