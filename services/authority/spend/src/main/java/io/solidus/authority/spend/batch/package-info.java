/**
 * Work that is cheaper in batches: requests gather while the workers are busy, and never wait when
 * one is idle.
 */
@NullMarked
package io.solidus.authority.spend.batch;

import org.jspecify.annotations.NullMarked;
