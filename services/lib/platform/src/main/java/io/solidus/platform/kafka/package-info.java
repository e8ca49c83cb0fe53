/** Error handling of Kafka's producers and listeners. */
@NullMarked
package io.solidus.platform.kafka;

import org.jspecify.annotations.NullMarked;
