/** Collection of partial signatures on minted coins. */
@NullMarked
package io.solidus.edge.gateway.mints;

import org.jspecify.annotations.NullMarked;
