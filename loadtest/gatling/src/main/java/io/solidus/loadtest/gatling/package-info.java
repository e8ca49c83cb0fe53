/** The Gatling simulation: the same journeys as k6's, and the operators' admin APIs. */
@NullMarked
package io.solidus.loadtest.gatling;

import org.jspecify.annotations.NullMarked;
