package keys

import "solidus.io/prover/fault"

// lock refuses: WebAssembly has no file locks, and keys are not made there.
func lock(string, func(string)) (unlock func(), err error) {
	return nil, fault.New(fault.KeysBusy, "keys cannot be made in WebAssembly")
}
