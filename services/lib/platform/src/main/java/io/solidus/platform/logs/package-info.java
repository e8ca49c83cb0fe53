/** Log lines for machines. */
@NullMarked
package io.solidus.platform.logs;

import org.jspecify.annotations.NullMarked;
