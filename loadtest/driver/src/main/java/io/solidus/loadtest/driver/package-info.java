/**
 * Load tests of a whole platform: transfers are forged, k6 or Gatling sends them, and a report says
 * what came of it.
 */
@NullMarked
package io.solidus.loadtest.driver;

import org.jspecify.annotations.NullMarked;
