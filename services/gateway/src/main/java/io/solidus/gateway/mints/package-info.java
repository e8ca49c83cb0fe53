/** Signatures on minted coins. */
@NullMarked
package io.solidus.gateway.mints;

import org.jspecify.annotations.NullMarked;
