/** What this network speaks, for wallets that are older or newer than it. */
@NullMarked
package io.solidus.edge.gateway.capabilities;

import org.jspecify.annotations.NullMarked;
