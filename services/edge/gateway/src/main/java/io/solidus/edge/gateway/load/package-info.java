/** Load of the gateway: its bound, its measurement, and clients that send invalid evidence. */
@NullMarked
package io.solidus.edge.gateway.load;

import org.jspecify.annotations.NullMarked;
