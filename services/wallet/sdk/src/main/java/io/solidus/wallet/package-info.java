/**
 * The wallet SDK. Applications start at {@link io.solidus.wallet.Wallet}.
 *
 * <p>Besides this package, applications use {@code session} ({@code WalletOptions}, {@code
 * WalletPlatform}, {@code Progress}), {@code error}, {@code keys.SeedPhrase}, the profile and
 * result records in {@code model}, and {@code gateway.Person} and {@code gateway.Organisation}.
 * Everything else is internal and may change.
 */
@NullMarked
package io.solidus.wallet;

import org.jspecify.annotations.NullMarked;
