/**
 * Hybrid public key encryption (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM in base mode,
 * and the messages sealed with it. It uses no framework, because wallets use it too.
 */
@NullMarked
package io.solidus.wire.hpke;

import org.jspecify.annotations.NullMarked;
