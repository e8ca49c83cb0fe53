/** Requests that come through a relay, which sees no request while the gateway sees no address. */
@NullMarked
package io.solidus.edge.gateway.oblivious;

import org.jspecify.annotations.NullMarked;
