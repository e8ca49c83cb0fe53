/** Events on Kafka: stored with their cause, published at least once. */
@NullMarked
package io.solidus.platform.outbox;

import org.jspecify.annotations.NullMarked;
