/**
 * The common parts of the services, as Spring auto-configuration. Each part is active if its
 * dependencies and properties are present. REST, PostgreSQL and Kafka are optional.
 */
@NullMarked
package io.solidus.platform;

import org.jspecify.annotations.NullMarked;
