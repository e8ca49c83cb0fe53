/**
 * The whole platform on one machine: one JVM with a context per service, PostgreSQL, and Kafka in a
 * JVM of its own.
 */
@NullMarked
package io.solidus.dev.sandbox;

import org.jspecify.annotations.NullMarked;
