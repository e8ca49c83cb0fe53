/** Blind tokens: whether a request is a registered wallet's, and not whose. */
@NullMarked
package io.solidus.edge.gateway.tokens;

import org.jspecify.annotations.NullMarked;
