/** Payouts of withdrawals, one per lead serial number. */
@NullMarked
package io.solidus.operator.issuance.redemption;

import org.jspecify.annotations.NullMarked;
