// The bridge of the native library: an operation's number and bytes in, bytes out.
#ifndef SOLIDUS_H
#define SOLIDUS_H

#include <stddef.h>
#include <stdint.h>

// The reply, which begins with the two bytes of a code, 0 for success. The caller clears the request and releases the reply.
uint8_t *solidus_invoke(int32_t operation, const uint8_t *request, size_t length, size_t *reply_length);

// Clears a reply and frees it.
void solidus_release(uint8_t *reply, size_t length);

#endif
