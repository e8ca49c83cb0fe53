/** Faults, their schedule and who strikes them. */
@NullMarked
package io.solidus.loadtest.chaos.fault;

import org.jspecify.annotations.NullMarked;
