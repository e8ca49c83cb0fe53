/** Blind tokens for registered wallets: so many a day, and nobody learns what becomes of them. */
@NullMarked
package io.solidus.operator.registration.tokens;

import org.jspecify.annotations.NullMarked;
