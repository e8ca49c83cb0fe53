/** Faults, their schedule, and the code that runs them. */
@NullMarked
package io.solidus.loadtest.chaos.fault;

import org.jspecify.annotations.NullMarked;
