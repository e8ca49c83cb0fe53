package io.solidus.protocol;

import java.time.Instant;

/**
 * The committee of a former epoch, with other shares of the same key.
 *
 * @param manifest digest of the key manifest in which it was the committee
 * @param sharesUntil when its authorities stop signing with its shares
 * @param noteKeysUntil when a note key of it ends that its authority no longer has
 */
public record FormerCommittee(
    Committee committee, Digest32 manifest, Instant sharesUntil, Instant noteKeysUntil) {}
