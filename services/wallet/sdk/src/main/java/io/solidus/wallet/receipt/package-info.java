/** Receipts: a payer's evidence of one payment for anybody. */
@NullMarked
package io.solidus.wallet.receipt;

import org.jspecify.annotations.NullMarked;
