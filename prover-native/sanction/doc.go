// Package sanction implements the list of blocked addresses as an indexed, sorted, 3-ary Merkle tree of depth 12.
//
// A key is the leading 160 bits of an address (apk >> 95). The sorted distinct keys k_1 < ... < k_n stand between the
// sentinels k_0 = 0 and k_{n+1} = floor(r / 2^95), and leaf i is H(8; k_i, k_{i+1}) for i = 0..n. An address is absent when
// one leaf has low < key < high, so one path proves absence. Unused leaves are the field element 0, and the nodes above them
// follow from that. The tree holds up to 3^12 - 1 = 531,440 keys.
//
// The high sentinel is the key of r itself: a key strictly below it makes key * 2^95 + low part smaller than r, so the split
// of an address is unique without a canonicity check. Addresses whose key equals a sentinel (chance 2^-159) count as listed
// and cannot take part.
//
// The tree is only as honest as its builder. A process that relies on a root rebuilds it from the whole published list.
// [Build] refuses lists that are unsorted or contain a duplicate or a sentinel.
package sanction
