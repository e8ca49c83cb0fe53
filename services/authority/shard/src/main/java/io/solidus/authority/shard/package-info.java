/**
 * One shard of a validator: reserves serial numbers for ever, coordinates cores and remembers their
 * answers.
 */
@NullMarked
package io.solidus.authority.shard;

import org.jspecify.annotations.NullMarked;
