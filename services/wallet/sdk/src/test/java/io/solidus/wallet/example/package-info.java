/** The example program of docs/how-to/write-a-wallet.md, for developers who use the wallet SDK. */
@NullMarked
package io.solidus.wallet.example;

import org.jspecify.annotations.NullMarked;
