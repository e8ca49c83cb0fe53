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
import org.jspecify.annotations.Nullable;

/**
 * A wallet's file, encrypted under its passphrase. An open store is the only writer of the file,
 * and a state is on disk before {@link #state()} returns it.
 *
 * <p>The file is a log: a whole state, then one entry for each change. So a change costs the same
 * beside a long history. The file is written anew when it is opened and the changes have more bytes
 * than the state, when it would grow too large, and after a failed write.
 */
public final class WalletStore implements AutoCloseable {
  private static final int MAX_BYTES = 256 << 20;

  /** Fewer bytes of changes are not worth a write. */
  private static final int COMPACT_FROM = 1 << 20;

  private final StoreLock lock;
  private final LogFile file;
  private StoreCipher cipher;
  private final byte[] entropy;
  private volatile WalletState state;

  /** Null until the file is written anew. */
  private StoreCipher.@Nullable Tail tail;

  private WalletStore(
      StoreLock lock, LogFile file, StoreCipher cipher, byte[] entropy, WalletState state) {
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
    return create(new LogFile(path), passphrase, cost, phrase, state);
  }

  static WalletStore create(
      LogFile file, char[] passphrase, PassphraseCost cost, SeedPhrase phrase, WalletState state) {
    if (Files.exists(file.path())) {
      throw new WalletException(
          WalletError.STORE_EXISTS, "there is a wallet already: " + file.path());
    }
    StoreLock lock = StoreLock.take(file.path());
    try {
      WalletStore store =
          new WalletStore(
              lock, file, StoreCipher.create(passphrase, cost), phrase.entropy(), state);
      store.replace(state);
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
    return open(new LogFile(path), passphrase, COMPACT_FROM);
  }

  /**
   * Opens a file.
   *
   * @param compactFrom fewer bytes of changes do not lead to a new file
   */
  static WalletStore open(LogFile file, char[] passphrase, int compactFrom) {
    if (!Files.exists(file.path())) {
      throw missing(file.path());
    }
    StoreLock lock = StoreLock.take(file.path());
    try {
      byte[] sealed = read(file.path());
      StoreCipher cipher = StoreCipher.open(sealed, passphrase);
      StoreCipher.Content content = cipher.read(sealed);
      try {
        WalletStore store =
            new WalletStore(lock, file, cipher, StateCodec.entropy(first(content)), state(content));
        file.begin(content.length());
        if (changes(content) > Math.max(compactFrom, first(content).length)) {
          store.replace(store.state);
        } else {
          store.tail = content.end();
        }
        return store;
      } finally {
        content.entries().forEach(entry -> Arrays.fill(entry, (byte) 0));
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
    StoreCipher.Tail end = tail;
    if (end == null || !file.mayAppend()) {
      replace(next);
    } else {
      append(end, next);
    }
    state = next;
    return next;
  }

  /**
   * Encrypts the file under another passphrase. The file is replaced as a whole: after a crash, or
   * when this throws, it opens with the old passphrase or with the new one.
   *
   * @param passphrase the caller clears it
   * @throws WalletException {@code store-unwritable}
   */
  public void changePassphrase(char[] passphrase, PassphraseCost cost) {
    StoreCipher old = cipher;
    cipher = StoreCipher.create(passphrase, cost);
    try {
      replace(state);
    } catch (RuntimeException e) {
      cipher.close();
      cipher = old; // the next change writes the file anew, under the old passphrase
      throw e;
    }
    old.close();
  }

  @Override
  public void close() {
    Arrays.fill(entropy, (byte) 0);
    cipher.close();
    lock.close();
  }

  private void append(StoreCipher.Tail end, WalletState next) {
    byte[] change = StateCodec.encodeChange(state, next);
    try {
      StoreCipher.Sealed entry = cipher.entry(end, change);
      if (file.length() + entry.bytes().length > MAX_BYTES) {
        replace(next);
        return;
      }
      tail = null;
      file.append(entry.bytes());
      tail = entry.end();
    } catch (IOException e) {
      throw unwritable("cannot be written: " + e.getMessage(), e);
    } finally {
      Arrays.fill(change, (byte) 0);
    }
  }

  private void replace(WalletState next) {
    byte[] content = StateCodec.encode(entropy, next);
    tail = null;
    try {
      StoreCipher.Sealed whole = cipher.file(content);
      if (whole.bytes().length > MAX_BYTES) {
        throw unwritable("would be larger than this program reads", null);
      }
      file.replace(whole.bytes());
      tail = whole.end();
    } catch (IOException e) {
      throw unwritable("cannot be written: " + e.getMessage(), e);
    } finally {
      Arrays.fill(content, (byte) 0);
    }
  }

  private static byte[] first(StoreCipher.Content content) {
    return content.entries().getFirst();
  }

  private static long changes(StoreCipher.Content content) {
    return content.entries().stream().skip(1).mapToLong(entry -> entry.length).sum();
  }

  private static WalletState state(StoreCipher.Content content) {
    WalletState state = StateCodec.decode(first(content));
    for (byte[] change : content.entries().subList(1, content.entries().size())) {
      state = StateCodec.decodeChange(state, change);
    }
    return state;
  }

  private static WalletException unwritable(String detail, @Nullable Throwable cause) {
    return new WalletException(WalletError.STORE_UNWRITABLE, "the wallet file " + detail, cause);
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
