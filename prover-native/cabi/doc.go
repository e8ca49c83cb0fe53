// Package cabi is the bridge to other languages: one entry point that takes an operation number and a byte string and returns
// a byte string.
//
// A reply starts with the two bytes of a code of package fault. After OK follows the operation's result, after any other code
// a message in UTF-8. Requests and results are fields in a fixed order: integers big endian, points and field elements in
// their fixed encodings, byte strings after a 32-bit length. Trailing bytes are refused.
//
// A panic becomes INTERNAL. The request's bytes are cleared when the call ends, because they may hold secrets. Objects that
// live across calls have handles, which are never reused.
//
// The package is plain Go. Package cabi/jni exports it to a JVM. The Java side's list of operations and codes is generated
// from this package by cmd/solidus-javagen.
package cabi
