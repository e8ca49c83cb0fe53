/** Processes attestations from Kafka before the wallets call. */
@NullMarked
package io.solidus.authority.complianceissuer.intake;

import org.jspecify.annotations.NullMarked;
