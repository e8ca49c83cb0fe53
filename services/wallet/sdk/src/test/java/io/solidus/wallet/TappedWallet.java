package io.solidus.wallet;

import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.store.WalletStore;
import java.nio.file.Path;

/** Wallets over a store that a test has opened. */
public final class TappedWallet {
  private TappedWallet() {}

  public static Wallet over(
      WalletStore store, WalletPlatform platform, WalletOptions options, Path path) {
    return Wallet.over(store, platform, false, options, path);
  }
}
