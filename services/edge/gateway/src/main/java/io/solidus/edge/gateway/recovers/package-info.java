/** Recovers: the call to all authorities, the certificate, and what a refused one collides with. */
@NullMarked
package io.solidus.edge.gateway.recovers;

import org.jspecify.annotations.NullMarked;
