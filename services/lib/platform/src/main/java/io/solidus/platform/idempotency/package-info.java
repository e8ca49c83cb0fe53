/** Requests that are repeated under one key. */
@NullMarked
package io.solidus.platform.idempotency;

import org.jspecify.annotations.NullMarked;
