/** How alike two names are, in any script. */
@NullMarked
package io.solidus.operator.names;

import org.jspecify.annotations.NullMarked;
