package io.solidus.operator.sanctions.policy;

import io.solidus.protocol.Policy;

/**
 * A policy as it is stored.
 *
 * @param note the signed note as published
 */
record PublishedPolicy(Policy policy, String note) {}
