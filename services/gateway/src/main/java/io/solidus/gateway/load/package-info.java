/** Overload is answered before work is wasted. */
@NullMarked
package io.solidus.gateway.load;

import org.jspecify.annotations.NullMarked;
