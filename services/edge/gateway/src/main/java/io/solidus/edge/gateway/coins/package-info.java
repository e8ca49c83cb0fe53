/** What the authorities know of serial numbers. */
@NullMarked
package io.solidus.edge.gateway.coins;

import org.jspecify.annotations.NullMarked;
