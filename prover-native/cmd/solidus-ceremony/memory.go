package main

import "syscall"

const prSetDumpable = 4

// keepSecretsInMemory makes sure that neither a core file nor another process of the same user gets this one's memory. It is
// a second line of defence, so a system that refuses does not stop the ceremony. Swap is for the operator to switch off.
func keepSecretsInMemory() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetDumpable, 0, 0)
}
