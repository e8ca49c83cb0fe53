/** What bank operators do over the admin APIs. */
@NullMarked
package io.solidus.dev.sandbox.operators;

import org.jspecify.annotations.NullMarked;
