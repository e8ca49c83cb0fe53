// Package main is the shared library for a JVM: the entry point of package cabi as a JNI function.
//
// It needs the JDK's jni.h. prover-native/build.sh sets the tag jni and the include path. Without the tag, main only prints
// how to build the library, so that the module compiles on a machine without a JDK.
//
// The Go runtime installs its signal handlers when the library is loaded and forwards signals that do not come from Go code.
// So the JVM's own use of signals (null checks, safepoints) keeps working. The stress test of the Java module covers this.
package main
