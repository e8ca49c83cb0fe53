/** The sandbox's command line. */
@NullMarked
package io.solidus.dev.sandbox.cli;

import org.jspecify.annotations.NullMarked;
