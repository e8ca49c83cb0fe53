/**
 * Ways by which signed facts reach a shard: Kafka, and the sanction service's own pages when Kafka
 * is silent.
 */
@NullMarked
package io.solidus.authority.shard.intake;

import org.jspecify.annotations.NullMarked;
