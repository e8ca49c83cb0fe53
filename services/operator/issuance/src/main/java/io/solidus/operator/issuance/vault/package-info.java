/**
 * The desk's HPKE keys: wallets seal payout instructions to them, the desk keeps account data
 * sealed under them.
 */
@NullMarked
package io.solidus.operator.issuance.vault;

import org.jspecify.annotations.NullMarked;
