/** Messages to an operator's own systems that work waits, signed as Standard Webhooks. */
@NullMarked
package io.solidus.platform.webhook;

import org.jspecify.annotations.NullMarked;
