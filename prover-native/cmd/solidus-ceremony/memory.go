package main

import "syscall"

const prSetDumpable = 4

// keepSecretsInMemory prevents core files, and access to this process's memory by other processes of the same user. It is a
// second line of defence, so an error does not stop the ceremony. The operator must switch off swap.
func keepSecretsInMemory() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetDumpable, 0, 0)
}
