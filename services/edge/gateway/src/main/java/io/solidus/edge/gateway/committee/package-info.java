/**
 * Calls to the authorities: shard maps, one call to all authorities, and collection of a quorum of
 * partial signatures.
 */
@NullMarked
package io.solidus.edge.gateway.committee;

import org.jspecify.annotations.NullMarked;
