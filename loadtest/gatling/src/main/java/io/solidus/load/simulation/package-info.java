/** The Gatling simulation: the same journeys as k6's, and the operators' admin APIs. */
@NullMarked
package io.solidus.load.simulation;

import org.jspecify.annotations.NullMarked;
