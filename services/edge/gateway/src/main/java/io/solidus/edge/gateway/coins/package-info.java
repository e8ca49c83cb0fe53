/** Look-up of serial numbers at the authorities. */
@NullMarked
package io.solidus.edge.gateway.coins;

import org.jspecify.annotations.NullMarked;
