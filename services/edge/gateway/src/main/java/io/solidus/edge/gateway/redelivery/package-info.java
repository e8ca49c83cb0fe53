/** Requests that some authority has not answered yet. */
@NullMarked
package io.solidus.edge.gateway.redelivery;

import org.jspecify.annotations.NullMarked;
