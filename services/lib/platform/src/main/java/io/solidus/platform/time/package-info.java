/** The clock bean, and repeated background jobs. */
@NullMarked
package io.solidus.platform.time;

import org.jspecify.annotations.NullMarked;
