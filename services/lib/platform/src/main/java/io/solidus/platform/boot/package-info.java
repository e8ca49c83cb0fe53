/** Start of a service: default configuration, excluded parts, launcher. */
@NullMarked
package io.solidus.platform.boot;

import org.jspecify.annotations.NullMarked;
