/** Overload is answered before work is wasted. */
@NullMarked
package io.solidus.edge.gateway.load;

import org.jspecify.annotations.NullMarked;
