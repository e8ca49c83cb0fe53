/** Public parameters: network, keys, policy, sanction checkpoint and sanction list. */
@NullMarked
package io.solidus.edge.gateway.parameters;

import org.jspecify.annotations.NullMarked;
