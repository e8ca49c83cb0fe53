/**
 * The fault suite: real authorities under payment load while processes, databases, disks and links
 * fail by a seeded schedule. At the end it checks the invariants of a payment system on every
 * signature that left a validator and on everything that the validators keep. Never part of a
 * production image.
 */
@NullMarked
package io.solidus.loadtest.chaos;

import org.jspecify.annotations.NullMarked;
