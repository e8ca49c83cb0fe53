/**
 * Hybrid public key encryption (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM in base mode,
 * and what is sealed with it. Needs no framework: wallets use it too.
 */
@NullMarked
package io.solidus.wire.hpke;

import org.jspecify.annotations.NullMarked;
