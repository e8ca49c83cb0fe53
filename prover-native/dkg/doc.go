// Package dkg generates the committee's threshold key without a dealer, refreshes its shares, and restores a lost one.
//
// The key is that of package suite: x and y, shared by polynomials of degree 2f among N = 3f+1 authorities. The protocol is
// that of Gennaro, Jarecki, Krawczyk and Rabin ("Secure distributed key generation for discrete-log based cryptosystems"),
// for two secrets at once, over a bulletin folder:
//
//	deal      every authority deals random polynomials: Pedersen commitments, and a sealed share for each recipient
//	complain  recipients name dealers whose share does not match the commitments
//	justify   accused dealers publish the shares in question; a dealer that cannot is excluded. Now the set of dealers is fixed
//	reveal    these dealers publish g2^a for their coefficients (and g1^a for y), proven to be those they committed to
//	open      where a dealer did not reveal, the others publish their shares and every member computes the dealer's polynomials;
//	          every member posts, so that the reveal round has one end before anyone acts further
//	confirm   every authority proves possession of its new share
//
// Pedersen commitments hide perfectly. Until the set of dealers is fixed, no participant has any information about the key.
// After that no dealer can leave: the others open the polynomials of a silent dealer. The key is uniform even if f
// authorities post as late as possible and choose their messages by those of others. With Feldman commitments alone the last
// author could choose among 2^f keys.
//
// A refresh runs the same rounds with polynomials that are zero at 0, added to the current shares. A recovery is a refresh in
// which the dealers also deal masks that are zero at the index of the member that lost its share. The others send it their
// masked shares in a further round,
//
//	help
//
// from which it can compute its share and no other secret.
//
// The coordinator closes each round with a signed list of the messages that count, and each message names the list before it.
// So all members use the same messages, a second message of the same author is ignored, and messages of another ceremony are
// refused. The coordinator learns no secret and cannot forge. It can leave messages out. The author detects that, and the
// ceremony stops where more than f are left out.
//
// A coordinator can also sign several ends of one round. A member that acted on each would publish its shares of one set of
// dealers after the other, so of the whole key. Therefore every member keeps a journal beside its secrets: it acts on one end of
// each round, signs one message in a round, and opens one set of at most f dealers, for ever.
//
// Commitments to x are in the second group only: g1^x exists nowhere (package suite says why).
package dkg
