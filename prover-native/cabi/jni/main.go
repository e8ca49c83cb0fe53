//go:build jni

package main

/*
#include <jni.h>
#include <stdlib.h>

static jsize length(JNIEnv *env, jbyteArray a) { return (*env)->GetArrayLength(env, a); }

static void copy_in(JNIEnv *env, jbyteArray a, jsize n, jbyte *to) { (*env)->GetByteArrayRegion(env, a, 0, n, to); }

// NULL with a pending OutOfMemoryError when the heap has no room
static jbyteArray copy_out(JNIEnv *env, jsize n, const jbyte *from) {
	jbyteArray a = (*env)->NewByteArray(env, n);
	if (a != NULL) {
		(*env)->SetByteArrayRegion(env, a, 0, n, from);
	}
	return a;
}
*/
import "C"

import (
	"fmt"
	"unsafe"

	"solidus.io/prover/cabi"
	"solidus.io/prover/fault"
)

// Java_io_solidus_prover_NativeLibrary_invoke is NativeLibrary.invoke(int, byte[]).
//
//export Java_io_solidus_prover_NativeLibrary_invoke
func Java_io_solidus_prover_NativeLibrary_invoke(env *C.JNIEnv, _ C.jclass, op C.jint, request C.jbyteArray) C.jbyteArray {
	reply := serve(env, int(op), request)
	return C.copy_out(env, C.jsize(len(reply)), (*C.jbyte)(unsafe.Pointer(&reply[0])))
}

// serve checks the length before it copies. The dispatcher recovers panics.
func serve(env *C.JNIEnv, op int, request C.jbyteArray) []byte {
	var none C.jbyteArray
	if request == none {
		return cabi.Refuse(fault.MalformedRequest, "no request")
	}
	n := int(C.length(env, request))
	if limit := cabi.Limit(op); n > limit {
		code := fault.RequestTooLarge
		if limit == 0 {
			code = fault.UnknownOperation
		}
		return cabi.Refuse(code, fmt.Sprintf("%d bytes, at most %d", n, limit))
	}
	in := make([]byte, n)
	if n > 0 {
		C.copy_in(env, request, C.jsize(n), (*C.jbyte)(unsafe.Pointer(&in[0])))
	}
	return cabi.Invoke(op, in)
}

func main() {}
