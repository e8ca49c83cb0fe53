/** What the authorities know of serial numbers. */
@NullMarked
package io.solidus.gateway.coins;

import org.jspecify.annotations.NullMarked;
