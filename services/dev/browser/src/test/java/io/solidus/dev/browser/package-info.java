/** The operators' console in a browser. */
@NullMarked
package io.solidus.dev.browser;

import org.jspecify.annotations.NullMarked;
