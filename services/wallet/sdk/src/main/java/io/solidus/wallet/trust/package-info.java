/**
 * Verification of policies, checkpoints and sanction lists against the committee's keys. Internal.
 */
@NullMarked
package io.solidus.wallet.trust;

import org.jspecify.annotations.NullMarked;
