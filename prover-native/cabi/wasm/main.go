//go:build wasip1

// Package main is the library as a WebAssembly module (WASI preview 1, a reactor): the entry point of package cabi on buffers in
// the module's memory. A host allocates a buffer, writes a request into it, invokes an operation, reads the reply and releases
// both. The module runs on one thread.
package main

import (
	"unsafe"

	"solidus.io/prover/cabi"
)

// buffers keeps what the host holds from the garbage collector.
var buffers = map[uintptr][]byte{}

func main() {}

//go:wasmexport solidus_allocate
func allocate(size uint32) unsafe.Pointer { return keep(make([]byte, size)) }

// release clears a buffer, which may hold a secret.
//
//go:wasmexport solidus_release
func release(at unsafe.Pointer) {
	clear(buffers[uintptr(at)])
	delete(buffers, uintptr(at))
}

// invoke runs an operation on the request in a buffer. It returns the address of the reply in its high and the length in its low
// 32 bits. A buffer that was not allocated here is a reply of MALFORMED_REQUEST.
//
//go:wasmexport solidus_invoke
func invoke(operation uint32, at unsafe.Pointer) uint64 {
	reply := cabi.Invoke(int(operation), buffers[uintptr(at)])
	return uint64(uintptr(keep(reply)))<<32 | uint64(len(reply))
}

func keep(b []byte) unsafe.Pointer {
	if len(b) == 0 {
		b = make([]byte, 1)
	}
	at := unsafe.Pointer(&b[0])
	buffers[uintptr(at)] = b
	return at
}
