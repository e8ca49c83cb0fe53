package io.solidus.operator.sanctions.policy;

import io.solidus.protocol.Policy;

/**
 * A policy as it is stored.
 *
 * @param note signed, as published
 */
record PublishedPolicy(Policy policy, String note) {}
