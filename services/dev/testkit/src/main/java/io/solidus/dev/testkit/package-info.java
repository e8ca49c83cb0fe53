/** Shared test tools: databases, a broker, keys, tokens and generators. */
@NullMarked
package io.solidus.dev.testkit;

import org.jspecify.annotations.NullMarked;
