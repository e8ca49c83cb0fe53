/** Spans of a payment's way through the services, and what may stand in them. */
@NullMarked
package io.solidus.platform.tracing;

import org.jspecify.annotations.NullMarked;
