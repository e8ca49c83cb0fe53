/** Oblivious HTTP (RFC 9458) with binary HTTP (RFC 9292): requests that a relay cannot read. */
@NullMarked
package io.solidus.wire.ohttp;

import org.jspecify.annotations.NullMarked;
