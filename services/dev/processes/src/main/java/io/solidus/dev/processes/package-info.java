/**
 * Validator authorities as real processes on one machine, to be loaded, killed, frozen and cut off:
 * what the benchmarks and the fault suite stand on. Never part of a production image.
 */
@NullMarked
package io.solidus.dev.processes;

import org.jspecify.annotations.NullMarked;
