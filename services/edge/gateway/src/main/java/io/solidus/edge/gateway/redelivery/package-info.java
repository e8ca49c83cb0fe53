/** Redelivery of finished requests to authorities that have not signed them. */
@NullMarked
package io.solidus.edge.gateway.redelivery;

import org.jspecify.annotations.NullMarked;
