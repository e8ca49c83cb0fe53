/** Calls over HTTPS to the system's other services. */
@NullMarked
package io.solidus.platform.http;

import org.jspecify.annotations.NullMarked;
