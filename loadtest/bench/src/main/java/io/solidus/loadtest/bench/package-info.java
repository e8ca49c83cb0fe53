/**
 * Measures whole validators and committees: real processes, real databases, verified transfers, an
 * open model of arrivals.
 */
@NullMarked
package io.solidus.loadtest.bench;

import org.jspecify.annotations.NullMarked;
