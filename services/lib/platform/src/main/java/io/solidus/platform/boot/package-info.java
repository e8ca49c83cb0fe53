/** Starting a service: defaults, switches, launcher. */
@NullMarked
package io.solidus.platform.boot;

import org.jspecify.annotations.NullMarked;
