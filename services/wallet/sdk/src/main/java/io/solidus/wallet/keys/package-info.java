/**
 * Derivation of every secret of a wallet from its 24 words (BIP-39, HKDF-SHA-512). Internal, except
 * {@link io.solidus.wallet.keys.SeedPhrase}.
 */
@NullMarked
package io.solidus.wallet.keys;

import org.jspecify.annotations.NullMarked;
