/** The wallet's one encrypted file and what it holds. */
@NullMarked
package io.solidus.wallet.store;

import org.jspecify.annotations.NullMarked;
