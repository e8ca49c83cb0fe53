/** Measures whole validators and committees: real processes, real databases, verified transfers, an open model of arrivals. */
@NullMarked
package io.solidus.bench;

import org.jspecify.annotations.NullMarked;
