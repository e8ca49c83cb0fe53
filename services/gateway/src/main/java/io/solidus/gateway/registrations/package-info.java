/** Signatures on first compliance coins. */
@NullMarked
package io.solidus.gateway.registrations;

import org.jspecify.annotations.NullMarked;
