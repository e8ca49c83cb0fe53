/** Attestations that arrive on Kafka are worked off ahead of the wallets' calls. */
@NullMarked
package io.solidus.authority.complianceissuer.intake;

import org.jspecify.annotations.NullMarked;
