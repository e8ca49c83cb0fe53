/** Screens names against the newest version of every list. */
@NullMarked
package io.solidus.operator.sanctions.screening;

import org.jspecify.annotations.NullMarked;
