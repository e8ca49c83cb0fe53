package io.solidus.wallet.model;

import io.solidus.protocol.Digest32;

/**
 * The newest version of a signed rule that this wallet has seen, and the digest of its text. An
 * older version, or another text of the same version, is rejected.
 */
public record RuleMark(long version, Digest32 digest) {}
