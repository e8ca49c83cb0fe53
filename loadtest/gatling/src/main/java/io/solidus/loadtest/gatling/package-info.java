/** The Gatling simulation: the journeys of k6, and the operators' admin APIs. */
@NullMarked
package io.solidus.loadtest.gatling;

import org.jspecify.annotations.NullMarked;
