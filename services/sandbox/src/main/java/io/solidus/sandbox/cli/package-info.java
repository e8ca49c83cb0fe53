/** The sandbox's command line. */
@NullMarked
package io.solidus.sandbox.cli;

import org.jspecify.annotations.NullMarked;
