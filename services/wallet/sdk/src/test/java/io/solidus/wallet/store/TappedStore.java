package io.solidus.wallet.store;

import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletState;
import java.nio.file.Path;

/** Stores that call back when a new file is written and not in place, or an entry not fsynced. */
public final class TappedStore {
  /** So few bytes of changes lead to a new file that continuations make some. */
  private static final int COMPACT_FROM = 16_384;

  private TappedStore() {}

  /** Called in the middle of every write. */
  @FunctionalInterface
  public interface Tap {
    /**
     * Called in a write.
     *
     * @param entryBytes length of the entry at the end of the file; 0 when the file will be
     *     replaced as a whole
     */
    void inWrite(int entryBytes);
  }

  public static WalletStore create(
      Path path, char[] passphrase, SeedPhrase phrase, WalletState state, Tap tap) {
    return WalletStore.create(
        file(path, tap), passphrase, new PassphraseCost(8, 1, 1), phrase, state);
  }

  public static WalletStore open(Path path, char[] passphrase, Tap tap) {
    return WalletStore.open(file(path, tap), passphrase, COMPACT_FROM);
  }

  private static LogFile file(Path path, Tap tap) {
    return new LogFile(path) {
      @Override
      void beforeRename() {
        tap.inWrite(0);
      }

      @Override
      void beforeForce(byte[] entry) {
        tap.inWrite(entry.length);
      }
    };
  }
}
