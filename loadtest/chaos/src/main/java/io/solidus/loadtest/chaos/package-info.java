/**
 * The fault suite: real authorities under load of real money while processes, databases, disks and
 * links fail by a seeded schedule; at the end the invariants of a payment system are checked on
 * everything that left a validator and everything it keeps. Never part of a production image.
 */
@NullMarked
package io.solidus.loadtest.chaos;

import org.jspecify.annotations.NullMarked;
