/** From 24 words to every secret of a wallet (BIP-39, HKDF-SHA-512). */
@NullMarked
package io.solidus.wallet.keys;

import org.jspecify.annotations.NullMarked;
