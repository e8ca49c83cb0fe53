// Package main is the shared library for a JVM: the entry point of package cabi as a JNI function.
//
// It needs the JDK's jni.h and is built by prover-native/build.sh, which sets the tag jni and the include path; without the
// tag a program is compiled that says so, and the module builds on a machine without a JDK.
//
// The Go runtime installs its signal handlers when the library is loaded and passes on what does not come from Go code, so
// the JVM's own use of signals (null checks, safepoints) keeps working; the stress test of the Java module covers it.
package main
