package io.solidus.operator.sanctions.checkpoint;

import io.solidus.protocol.Digest32;

/**
 * A checkpoint as it is stored.
 *
 * @param note the signed note as published
 */
record PublishedCheckpoint(long version, String note, Digest32 listDigest, int size) {}
