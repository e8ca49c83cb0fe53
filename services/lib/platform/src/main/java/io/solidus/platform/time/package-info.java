/** The one clock bean, and jobs that repeat. */
@NullMarked
package io.solidus.platform.time;

import org.jspecify.annotations.NullMarked;
