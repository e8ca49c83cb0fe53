package io.solidus.wallet.store;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A wallet's file, encrypted under its passphrase. An open store is the only writer of the file,
 * and a state is on disk before {@link #state()} returns it.
 */
public final class WalletStore implements AutoCloseable {
  private static final int MAX_BYTES = 256 << 20;

  private final StoreLock lock;
  private final AtomicFile file;
  private final StoreCipher cipher;
  private final byte[] entropy;
  private volatile WalletState state;

  private WalletStore(
      StoreLock lock, AtomicFile file, StoreCipher cipher, byte[] entropy, WalletState state) {
    this.lock = lock;
    this.file = file;
    this.cipher = cipher;
    this.entropy = entropy;
    this.state = state;
  }

  /**
   * Makes a new file.
   *
   * @throws WalletException {@code store-exists}, {@code store-locked} or {@code store-unwritable}
   */
  public static WalletStore create(
      Path path, char[] passphrase, PassphraseCost cost, SeedPhrase phrase, WalletState state) {
    return create(new AtomicFile(path), passphrase, cost, phrase, state);
  }

  static WalletStore create(
      AtomicFile file,
      char[] passphrase,
      PassphraseCost cost,
      SeedPhrase phrase,
      WalletState state) {
    if (Files.exists(file.path())) {
      throw new WalletException(
          WalletError.STORE_EXISTS, "there is a wallet already: " + file.path());
    }
    StoreLock lock = StoreLock.take(file.path());
    try {
      WalletStore store =
          new WalletStore(
              lock, file, StoreCipher.create(passphrase, cost), phrase.entropy(), state);
      store.write(state);
      return store;
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Opens a file.
   *
   * @throws WalletException {@code store-missing}, {@code store-locked}, {@code wrong-passphrase},
   *     {@code store-corrupt} or {@code store-version}
   */
  public static WalletStore open(Path path, char[] passphrase) {
    return open(new AtomicFile(path), passphrase);
  }

  static WalletStore open(AtomicFile file, char[] passphrase) {
    if (!Files.exists(file.path())) {
      throw missing(file.path());
    }
    StoreLock lock = StoreLock.take(file.path());
    try {
      file.removeLeftover();
      byte[] sealed = read(file.path());
      StoreCipher cipher = StoreCipher.open(sealed, passphrase);
      byte[] content = cipher.decrypt(sealed);
      try {
        return new WalletStore(
            lock, file, cipher, StateCodec.entropy(content), StateCodec.decode(content));
      } finally {
        Arrays.fill(content, (byte) 0);
      }
    } catch (IOException e) {
      lock.close();
      throw new WalletException(
          WalletError.STORE_CORRUPT, "the wallet file cannot be read: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  public WalletState state() {
    return state;
  }

  /** A copy of the seed phrase; the caller closes it. */
  public SeedPhrase seedPhrase() {
    return SeedPhrase.ofEntropy(entropy);
  }

  /** Changes the state, on disk first. */
  public WalletState update(Consumer<WalletState.Draft> edit) {
    WalletState next = state.change(edit);
    write(next);
    state = next;
    return next;
  }

  @Override
  public void close() {
    Arrays.fill(entropy, (byte) 0);
    cipher.close();
    lock.close();
  }

  private void write(WalletState next) {
    byte[] content = StateCodec.encode(entropy, next);
    try {
      file.write(cipher.encrypt(content));
    } catch (IOException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "the wallet file cannot be written: " + e.getMessage(), e);
    } finally {
      Arrays.fill(content, (byte) 0);
    }
  }

  private static byte[] read(Path path) throws IOException {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new WalletException(WalletError.STORE_CORRUPT, "the wallet file is far too large");
      }
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw missing(path);
    }
  }

  private static WalletException missing(Path path) {
    return new WalletException(WalletError.STORE_MISSING, "there is no wallet at " + path);
  }
}
