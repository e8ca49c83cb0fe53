/**
 * The service's HPKE keys. Wallets seal payout instructions to them, and the service seals stored
 * account data to them.
 */
@NullMarked
package io.solidus.operator.issuance.vault;

import org.jspecify.annotations.NullMarked;
