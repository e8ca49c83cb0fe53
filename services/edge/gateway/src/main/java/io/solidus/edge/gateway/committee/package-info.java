/**
 * The authorities as the gateway sees them: who owns which serial number, and one call to all of
 * them.
 */
@NullMarked
package io.solidus.edge.gateway.committee;

import org.jspecify.annotations.NullMarked;
