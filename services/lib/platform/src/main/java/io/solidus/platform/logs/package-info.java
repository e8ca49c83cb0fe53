/** JSON logs. */
@NullMarked
package io.solidus.platform.logs;

import org.jspecify.annotations.NullMarked;
