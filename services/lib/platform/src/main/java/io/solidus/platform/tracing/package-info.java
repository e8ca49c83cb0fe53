/** Tracing of payments through the services, with an allow-list of attributes. */
@NullMarked
package io.solidus.platform.tracing;

import org.jspecify.annotations.NullMarked;
