/**
 * Batches of requests: requests gather while all workers are busy, and never wait while a worker is
 * idle.
 */
@NullMarked
package io.solidus.authority.spend.batch;

import org.jspecify.annotations.NullMarked;
