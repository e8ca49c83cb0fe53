package cabi

import "solidus.io/prover/wallet"

// walletBytes bounds a state with the longest list of sanctions and an answer that has it too.
const walletBytes = 48 << 20

// walletStep is [wallet.Step]: the state and the event for the next state and the effects. Its errors changed nothing.
func walletStep(r *reader, w *writer) error {
	state, event := r.sized(), r.sized()
	if err := r.end(); err != nil {
		return err
	}
	after, effects, err := wallet.Step(state, event)
	if err != nil {
		return err
	}
	for _, b := range [][]byte{after, effects} {
		w.u32(uint32(len(b)))
		w.bytes(b)
	}
	return nil
}
