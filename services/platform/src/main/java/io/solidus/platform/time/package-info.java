/** The one clock bean. */
@NullMarked
package io.solidus.platform.time;

import org.jspecify.annotations.NullMarked;
