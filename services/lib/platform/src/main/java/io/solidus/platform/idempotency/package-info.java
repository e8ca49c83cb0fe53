/** One effect and one answer per Idempotency-Key. */
@NullMarked
package io.solidus.platform.idempotency;

import org.jspecify.annotations.NullMarked;
