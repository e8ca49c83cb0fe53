/** Delivery of coins: messages of one size, nobody's address on them. */
@NullMarked
package io.solidus.edge.gateway.mailbox;

import org.jspecify.annotations.NullMarked;
