// Package wallet is the logic of a wallet as a state machine without input and output: (state, event) -> (state, effects), all
// of them bytes. HTTP, storage, clock, random numbers, proofs and everything that a person sees belong to the host.
//
// [Step] is the whole interface. Package cabi has it as one operation, so every host of the bridge has it: the JVM, Android,
// iOS, browsers and Node. Page 6 of the specification, "The core and its host", says what both owe each other.
//
// Inside, a command is straight code that asks for one effect after the other. The code is run again from its start with every
// answer, on the answers so far (the journal), until it asks for something new. It ends a run with a commit: what it has changed
// becomes the wallet, the journal is dropped, and the code begins anew on the changed wallet. So a command that goes on after a
// crash takes the way that it takes always.
package wallet
