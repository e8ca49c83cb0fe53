/** The first page: what waits. */
@NullMarked
package io.solidus.operator.console.start;

import org.jspecify.annotations.NullMarked;
