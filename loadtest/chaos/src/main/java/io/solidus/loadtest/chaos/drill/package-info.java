/** Drills: an authority restored, every process replaced. */
@NullMarked
package io.solidus.loadtest.chaos.drill;

import org.jspecify.annotations.NullMarked;
