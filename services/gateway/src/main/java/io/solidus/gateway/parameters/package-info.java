/** Public parameters: network, keys, policy, sanction checkpoint. */
@NullMarked
package io.solidus.gateway.parameters;

import org.jspecify.annotations.NullMarked;
