/** The bank's operators and their calls of the admin APIs. */
@NullMarked
package io.solidus.dev.sandbox.operators;

import org.jspecify.annotations.NullMarked;
