package io.solidus.wallet.model;

import io.solidus.protocol.Digest32;

/**
 * The newest version of a signed rule that this wallet has seen, and what it said: nothing older or
 * different is taken again.
 */
public record RuleMark(long version, Digest32 digest) {}
