/**
 * Load tests of a whole platform: forges transfers, sends them with k6 or Gatling, and writes a
 * report.
 */
@NullMarked
package io.solidus.loadtest.driver;

import org.jspecify.annotations.NullMarked;
