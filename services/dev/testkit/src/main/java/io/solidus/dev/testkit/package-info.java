/** What tests share: databases, a broker, tokens, generators, vectors, architecture rules. */
@NullMarked
package io.solidus.dev.testkit;

import org.jspecify.annotations.NullMarked;
