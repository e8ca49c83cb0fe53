/** Bounds on memory and on simultaneous work. */
@NullMarked
package io.solidus.platform.limits;

import org.jspecify.annotations.NullMarked;
