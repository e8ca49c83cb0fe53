/** Stops and starts authorities of a running sandbox. */
@NullMarked
package io.solidus.dev.sandbox.control;

import org.jspecify.annotations.NullMarked;
