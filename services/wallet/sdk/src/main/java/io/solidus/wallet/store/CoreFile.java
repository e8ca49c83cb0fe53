package io.solidus.wallet.store;

import io.solidus.protocol.Spec;
import io.solidus.wallet.core.StateStore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The state of a core in a file, sealed with AES-256-GCM under a key of the machine's keystore. The
 * file is replaced as a whole. One process at a time has it open.
 *
 * <p>The nonce is the cipher's own, drawn for each write, so a key is for some 2^32 writes.
 */
public final class CoreFile implements StateStore, AutoCloseable {
  private static final byte[] MAGIC = "solidus/core-file/v1\0".getBytes(StandardCharsets.US_ASCII);
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** A state with the longest list of sanctions is smaller; the bridge takes no more. */
  private static final long MAX_BYTES = 48L << 20;

  private final StoreLock lock;
  private final LogFile file;
  private final SecretKey key;

  private CoreFile(StoreLock lock, LogFile file, SecretKey key) {
    this.lock = lock;
    this.file = file;
    this.key = key;
  }

  /**
   * Opens a file, which need not exist.
   *
   * @param key of 32 bytes for AES; it may be one that does not leave its keystore
   * @throws WalletException {@code store-locked}, {@code store-unwritable}
   */
  public static CoreFile open(Path path, SecretKey key) {
    byte[] known = key.getEncoded();
    if (known != null) {
      Arrays.fill(known, (byte) 0);
      if (known.length != KEY_BYTES) {
        throw new IllegalArgumentException("a key of 32 bytes is needed");
      }
    }
    StoreLock lock = StoreLock.take(path.toAbsolutePath());
    return new CoreFile(lock, new LogFile(path), key);
  }

  @Override
  public byte[] read() {
    byte[] sealed;
    try {
      if (!Files.exists(file.path())) {
        return new byte[0];
      }
      if (Files.size(file.path()) > MAX_BYTES) {
        throw corrupt(null);
      }
      sealed = Files.readAllBytes(file.path());
    } catch (IOException e) {
      throw corrupt(e);
    }
    if (sealed.length < MAGIC.length + NONCE_BYTES
        || !ByteBuffer.wrap(sealed, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
      throw corrupt(null);
    }
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(
          Cipher.DECRYPT_MODE,
          key,
          new GCMParameterSpec(TAG_BITS, sealed, MAGIC.length, NONCE_BYTES));
      cipher.updateAAD(MAGIC);
      int from = MAGIC.length + NONCE_BYTES;
      return cipher.doFinal(sealed, from, sealed.length - from);
    } catch (GeneralSecurityException e) {
      throw corrupt(e);
    }
  }

  @Override
  @Spec("W-41")
  public void write(byte[] state) {
    // what read refuses must not take the place of a state that it takes
    if (MAGIC.length + NONCE_BYTES + (long) state.length + TAG_BITS / Byte.SIZE > MAX_BYTES) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "the wallet's state is longer than a file may be");
    }
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, key);
      byte[] nonce = cipher.getIV();
      if (nonce == null || nonce.length != NONCE_BYTES) {
        throw new GeneralSecurityException("the cipher draws no nonce of 12 bytes");
      }
      cipher.updateAAD(MAGIC);
      byte[] sealed = cipher.doFinal(state);
      file.replace(
          ByteBuffer.allocate(MAGIC.length + NONCE_BYTES + sealed.length)
              .put(MAGIC)
              .put(nonce)
              .put(sealed)
              .array());
    } catch (IOException | GeneralSecurityException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "the wallet's state cannot be kept: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    lock.close();
  }

  private WalletException corrupt(@Nullable Throwable cause) {
    return new WalletException(
        WalletError.STORE_CORRUPT,
        file.path() + " is damaged, or sealed with another key of this machine",
        cause);
  }
}
