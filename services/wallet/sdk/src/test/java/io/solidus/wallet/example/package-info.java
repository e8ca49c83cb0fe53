/**
 * A program over the wallet's library, for those who write wallets: docs/how-to/write-a-wallet.md.
 */
@NullMarked
package io.solidus.wallet.example;

import org.jspecify.annotations.NullMarked;
