/** REST clients of the gateway and of the services that a wallet talks to. */
@NullMarked
package io.solidus.wallet.gateway;

import org.jspecify.annotations.NullMarked;
