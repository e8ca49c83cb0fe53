/** Errors over HTTP: RFC 9457 with a stable code. */
@NullMarked
package io.solidus.platform.problem;

import org.jspecify.annotations.NullMarked;
