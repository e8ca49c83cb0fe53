/** The calls of wallets. */
@NullMarked
package io.solidus.registration.wallet;

import org.jspecify.annotations.NullMarked;
