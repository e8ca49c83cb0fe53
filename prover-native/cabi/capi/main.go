//go:build capi

package main

/*
#include <stdint.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"unsafe"

	"solidus.io/prover/cabi"
	"solidus.io/prover/fault"
)

// solidus_invoke copies the request after a look at its length. The dispatcher recovers panics, and clears the copy.
//
//export solidus_invoke
func solidus_invoke(operation C.int32_t, request *C.uint8_t, length C.size_t, replyLength *C.size_t) *C.uint8_t {
	reply := serve(int(operation), request, uint64(length))
	*replyLength = C.size_t(len(reply))
	return (*C.uint8_t)(C.CBytes(reply))
}

func serve(operation int, request *C.uint8_t, length uint64) []byte {
	if limit := cabi.Limit(operation); length > uint64(limit) {
		code := fault.RequestTooLarge
		if limit == 0 {
			code = fault.UnknownOperation
		}
		return cabi.Refuse(code, fmt.Sprintf("%d bytes, at most %d", length, limit))
	}
	return cabi.Invoke(operation, append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(request)), length)...))
}

// solidus_release clears a reply and frees it.
//
//export solidus_release
func solidus_release(reply *C.uint8_t, length C.size_t) {
	clear(unsafe.Slice((*byte)(unsafe.Pointer(reply)), uint64(length)))
	C.free(unsafe.Pointer(reply))
}

func main() {}
