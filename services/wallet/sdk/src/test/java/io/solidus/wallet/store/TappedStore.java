package io.solidus.wallet.store;

import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletState;
import java.nio.file.Path;

/** Stores that call back when a new content is written and not yet in place. */
public final class TappedStore {
  private TappedStore() {}

  public static WalletStore create(
      Path path, char[] passphrase, SeedPhrase phrase, WalletState state, Runnable beforeRename) {
    return WalletStore.create(
        file(path, beforeRename), passphrase, new PassphraseCost(8, 1, 1), phrase, state);
  }

  public static WalletStore open(Path path, char[] passphrase, Runnable beforeRename) {
    return WalletStore.open(file(path, beforeRename), passphrase);
  }

  private static AtomicFile file(Path path, Runnable beforeRename) {
    return new AtomicFile(path) {
      @Override
      void beforeRename() {
        beforeRename.run();
      }
    };
  }
}
