/** Signed checkpoints of the address list, and heartbeats. */
@NullMarked
package io.solidus.operator.sanctions.checkpoint;

import org.jspecify.annotations.NullMarked;
