/** Payouts of withdrawals, one per lead serial number for ever. */
@NullMarked
package io.solidus.operator.issuance.redemption;

import org.jspecify.annotations.NullMarked;
