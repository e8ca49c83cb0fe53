/** Requests that some authority has not answered yet. */
@NullMarked
package io.solidus.gateway.redelivery;

import org.jspecify.annotations.NullMarked;
