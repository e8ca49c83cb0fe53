// Package model is a model of two sets of rules with an adversary: recover (docs/spec/09-recover.md) and signed look-ups (docs/spec/06-wallet.md).
// It has no cryptography: a core is a record, a serial number is a small number, and a signature is a bit.
//
// A world follows from its seed. There are four kinds of worlds:
//
//   - [Safety]: one owner, its devices and f authorities are the adversary. It makes transfers and recovers of anything over
//     anything, in several blindings and with shared digests D, and delivers them in any order to authorities that crash
//     half way. At the end everything is delivered and cashed in. Nobody made money, no limit of a period was passed, and of
//     two completed cores that name one serial number one burns the other.
//   - [Liveness]: an honest owner's devices have done anything that devices can do to each other, and f authorities are silent for
//     ever. One device follows the wallet's rules. Nearly always it completes a core on its newest compliance coin within a few rounds.
//   - [LookUps]: all authorities are honest, the gateway is not. It withholds, repeats and invents; policies change and authorities crash between
//     reservation and signature. A wallet that goes by signed states, also out of an old copy of its file, hardly ever needs recover.
//   - [Halves]: worlds of [Safety] whose transfers claim up to three coins in the place of one, as a claim of 16 does (T-34).
//
// A [Rule] can be left out. The tests leave out each rule once, and some world shows it.
package model
