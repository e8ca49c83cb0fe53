/** Public parameters: network, keys, policy, sanction checkpoint. */
@NullMarked
package io.solidus.edge.gateway.parameters;

import org.jspecify.annotations.NullMarked;
