/**
 * The wallet SDK. Applications start at {@link io.solidus.wallet.Wallet}.
 *
 * <p>Besides this package, applications use {@code session} ({@code WalletOptions}, {@code
 * WalletPlatform}, {@code Progress}), {@code error}, {@code keys.SeedPhrase}, the profile and
 * result records and {@code Money} in {@code model}, {@code request} ({@code PaymentRequest},
 * {@code RequestToken}), {@code receipt}, {@code transfer.FinishedTransfer}, {@code
 * trust.SignedServices}, and {@code gateway.Person} and {@code gateway.Organisation}. Everything
 * else is internal and may change.
 */
@NullMarked
package io.solidus.wallet;

import org.jspecify.annotations.NullMarked;
