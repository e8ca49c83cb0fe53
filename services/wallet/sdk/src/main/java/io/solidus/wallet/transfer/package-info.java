/** Planning, building and finishing a transfer. */
@NullMarked
package io.solidus.wallet.transfer;

import org.jspecify.annotations.NullMarked;
