/** Facts on Kafka: written with the ledger, delivered at least once, consumed once. */
@NullMarked
package io.solidus.platform.outbox;

import org.jspecify.annotations.NullMarked;
