/** Limits of the load that a service accepts. */
@NullMarked
package io.solidus.platform.load;

import org.jspecify.annotations.NullMarked;
