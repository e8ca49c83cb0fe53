/** What the wallet believes, and on whose signature. */
@NullMarked
package io.solidus.wallet.trust;

import org.jspecify.annotations.NullMarked;
