/**
 * Starts PostgreSQL, Kafka and the services of validator authorities as processes of this machine,
 * for tests, benchmarks and the fault suite. They can be killed, frozen and cut off. Never part of
 * a production image.
 */
@NullMarked
package io.solidus.dev.processes;

import org.jspecify.annotations.NullMarked;
