/** Serves the web wallet's page. */
@NullMarked
package io.solidus.dev.sandbox.webwallet;

import org.jspecify.annotations.NullMarked;
