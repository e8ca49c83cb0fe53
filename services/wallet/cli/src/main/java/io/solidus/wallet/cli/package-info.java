/** The command line {@code solidus wallet}. */
@NullMarked
package io.solidus.wallet.cli;

import org.jspecify.annotations.NullMarked;
