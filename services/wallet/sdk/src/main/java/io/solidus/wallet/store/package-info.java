/**
 * The wallet's encrypted file and its encoding. Internal, except {@link
 * io.solidus.wallet.store.PassphraseCost}.
 */
@NullMarked
package io.solidus.wallet.store;

import org.jspecify.annotations.NullMarked;
