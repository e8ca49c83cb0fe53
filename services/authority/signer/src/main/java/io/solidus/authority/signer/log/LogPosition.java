package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;

/**
 * A position in the sign-log.
 *
 * @param sequence the number of records up to here
 * @param head the value of the hash chain
 */
public record LogPosition(long sequence, Digest32 head) {}
