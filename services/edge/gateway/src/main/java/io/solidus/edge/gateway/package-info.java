/**
 * The wallets' REST API. A gateway can delay; it cannot forge, and it learns no identity and no
 * amount.
 */
@NullMarked
package io.solidus.edge.gateway;

import org.jspecify.annotations.NullMarked;
