/** Servers the platform needs: PostgreSQL and Kafka. */
@NullMarked
package io.solidus.dev.sandbox.infra;

import org.jspecify.annotations.NullMarked;
