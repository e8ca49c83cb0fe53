/**
 * What a wallet knows: coins, records and what is under way. Plain values; nothing here talks or
 * computes.
 */
@NullMarked
package io.solidus.wallet.model;

import org.jspecify.annotations.NullMarked;
