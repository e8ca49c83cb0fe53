/** The calls of wallets. */
@NullMarked
package io.solidus.operator.registration.wallet;

import org.jspecify.annotations.NullMarked;
