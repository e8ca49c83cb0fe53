/** The mailbox: sealed messages of one size, without an address. */
@NullMarked
package io.solidus.edge.gateway.mailbox;

import org.jspecify.annotations.NullMarked;
