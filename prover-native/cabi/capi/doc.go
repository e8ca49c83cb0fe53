// Package main exports package cabi to C as an archive, for iOS and every language that calls C:
//
//	uint8_t *solidus_invoke(int32_t operation, const uint8_t *request, size_t length, size_t *reply_length);
//	void solidus_release(uint8_t *reply, size_t length);
//
// The caller clears the request, which may hold secrets, and releases the reply, which is cleared then. It is built with the tag
// capi only, so that the module builds without a C compiler.
package main
