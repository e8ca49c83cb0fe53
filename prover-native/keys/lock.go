//go:build !wasm

package keys

import (
	"os"
	"path/filepath"
	"syscall"
	"time"

	"solidus.io/prover/fault"
)

// lockPatience is how long Make waits for another process that makes keys in the same directory.
const lockPatience = 10 * time.Minute

// lock locks a directory for one process. The system releases the lock when the process ends, also after a crash.
func lock(dir string, say func(string)) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fault.New(fault.KeysMissing, "the directory cannot be written")
	}
	for deadline, told := time.Now().Add(lockPatience), false; ; {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return func() { f.Close() }, nil
		}
		if time.Now().After(deadline) {
			f.Close()
			return nil, fault.New(fault.KeysBusy, filepath.Base(dir))
		}
		if !told {
			say("another process makes keys in " + dir + "; waiting")
			told = true
		}
		time.Sleep(200 * time.Millisecond)
	}
}
