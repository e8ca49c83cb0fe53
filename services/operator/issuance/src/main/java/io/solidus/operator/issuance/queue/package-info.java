/** How much waits at the desk, without names. */
@NullMarked
package io.solidus.operator.issuance.queue;

import org.jspecify.annotations.NullMarked;
