/**
 * The sources from which a shard receives signed rules: Kafka, and the pages of the sanction
 * service.
 */
@NullMarked
package io.solidus.authority.shard.rules;

import org.jspecify.annotations.NullMarked;
