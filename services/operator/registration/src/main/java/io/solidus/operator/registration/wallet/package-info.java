/** The wallets' API. */
@NullMarked
package io.solidus.operator.registration.wallet;

import org.jspecify.annotations.NullMarked;
