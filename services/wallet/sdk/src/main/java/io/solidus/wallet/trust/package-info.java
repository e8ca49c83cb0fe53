/**
 * Verification of policies, checkpoints and sanction lists against the committee's keys, and of the
 * network's services against its manifest's key. Internal, except {@link
 * io.solidus.wallet.trust.SignedServices}, for pinning a profile.
 */
@NullMarked
package io.solidus.wallet.trust;

import org.jspecify.annotations.NullMarked;
