/**
 * One shard of a validator: reserves serial numbers durably, coordinates cores and stores their
 * answers.
 */
@NullMarked
package io.solidus.authority.shard;

import org.jspecify.annotations.NullMarked;
