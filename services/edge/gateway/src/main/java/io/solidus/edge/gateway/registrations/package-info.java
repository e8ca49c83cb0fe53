/** Collection of partial signatures on first compliance coins. */
@NullMarked
package io.solidus.edge.gateway.registrations;

import org.jspecify.annotations.NullMarked;
