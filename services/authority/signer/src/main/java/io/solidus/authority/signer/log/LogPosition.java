package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;

/** A place in the sign-log: the number of records up to here and the hash chain's value. */
public record LogPosition(long sequence, Digest32 head) {}
