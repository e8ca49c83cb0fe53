package io.solidus.wallet.store;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Digest32;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.TillPayment;
import io.solidus.wallet.model.TillState;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * A till's file, encrypted under a passphrase of its own, in the form of a wallet's file: a whole
 * state, then an entry for each page of the mailbox that was read. It has the key that opens what
 * is sealed to the wallet's address, and nothing that spends.
 */
public final class TillStore implements AutoCloseable {
  /** Begins the content; no wallet's file begins so. */
  private static final int MARK = 0x54494c4c;

  private static final int VERSION = 1;
  private static final int MAX_BYTES = 256 << 20;

  private final StoreLock lock;
  private final LogFile file;
  private final StoreCipher cipher;
  private final HpkePrivateKey key;
  private volatile TillState state;
  private StoreCipher.Tail tail;

  private TillStore(
      StoreLock lock,
      LogFile file,
      StoreCipher cipher,
      HpkePrivateKey key,
      TillState state,
      StoreCipher.Tail tail) {
    this.lock = lock;
    this.file = file;
    this.cipher = cipher;
    this.key = key;
    this.state = state;
    this.tail = tail;
  }

  /**
   * Makes a new file.
   *
   * @param passphrase the caller clears it
   * @param key that opens what is sealed to the wallet's address
   * @throws WalletException {@code store-exists}, {@code store-locked} or {@code store-unwritable}
   */
  public static void create(
      Path path, char[] passphrase, PassphraseCost cost, HpkePrivateKey key, TillState state) {
    LogFile file = new LogFile(path);
    if (Files.exists(file.path())) {
      throw new WalletException(
          WalletError.STORE_EXISTS, "there is a file already: " + file.path());
    }
    byte[] content = encode(key, state);
    try (StoreLock lock = StoreLock.take(file.path());
        StoreCipher cipher = StoreCipher.create(passphrase, cost)) {
      file.replace(cipher.file(content).bytes());
    } catch (IOException e) {
      throw unwritable(e);
    } finally {
      Arrays.fill(content, (byte) 0);
    }
  }

  /**
   * Opens a file.
   *
   * @param passphrase the caller clears it
   * @throws WalletException {@code store-missing}, {@code store-locked}, {@code wrong-passphrase},
   *     {@code store-corrupt}, which a wallet's file is too, or {@code store-version}
   */
  public static TillStore open(Path path, char[] passphrase) {
    LogFile file = new LogFile(path);
    if (!Files.exists(file.path())) {
      throw new WalletException(WalletError.STORE_MISSING, "there is no till at " + path);
    }
    StoreLock lock = StoreLock.take(file.path());
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new WalletException(WalletError.STORE_CORRUPT, "the till's file is far too large");
      }
      byte[] sealed = Files.readAllBytes(path);
      StoreCipher cipher = StoreCipher.open(sealed, passphrase);
      StoreCipher.Content content = cipher.read(sealed);
      try {
        TillStore store = decode(lock, file, cipher, content);
        file.begin(content.length());
        return store;
      } finally {
        content.entries().forEach(entry -> Arrays.fill(entry, (byte) 0));
      }
    } catch (IOException e) {
      lock.close();
      throw new WalletException(
          WalletError.STORE_CORRUPT, "the till's file cannot be read: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  public TillState state() {
    return state;
  }

  /** The key of the address; {@link #close} destroys it. */
  public HpkePrivateKey key() {
    return key;
  }

  /**
   * Adds what a page of the mailbox had, on disk first.
   *
   * @param unread messages that came by a tag and are not read in the bucket yet
   */
  public void add(MailboxCursor next, List<TillPayment> seen, List<PendingDelivery> unread) {
    TillState after = state.after(next, seen, unread);
    StoreCipher.Sealed entry = cipher.entry(tail, encodeChange(next, seen, unread));
    if (file.length() + entry.bytes().length > MAX_BYTES || !file.mayAppend()) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE,
          "the till's file is full, or another program has put another file in its place; make the"
              + " till anew");
    }
    try {
      file.append(entry.bytes());
    } catch (IOException e) {
      throw unwritable(e);
    }
    tail = entry.end();
    state = after;
  }

  @Override
  public void close() {
    key.close();
    cipher.close();
    lock.close();
  }

  private static byte[] encode(HpkePrivateKey key, TillState state) {
    byte[] secret = key.bytes();
    try (StateWriter out = new StateWriter()) {
      ProfileCodec.write(out.u32(MARK).u8(VERSION), state.profile());
      out.field(state.apk().value()).fixed(secret).each(state.known(), StateWriter::field);
      return write(out, state.mailboxCursor(), state.payments(), state.unread()).toBytes();
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  private static byte[] encodeChange(
      MailboxCursor next, List<TillPayment> seen, List<PendingDelivery> unread) {
    try (StateWriter out = new StateWriter()) {
      return write(out, next, seen, unread).toBytes();
    }
  }

  private static StateWriter write(
      StateWriter out,
      MailboxCursor cursor,
      List<TillPayment> payments,
      List<PendingDelivery> unread) {
    return out.u64(cursor.sequence())
        .fixed(cursor.message().bytes())
        .each(
            payments,
            (w, payment) ->
                w.amount(payment.value())
                    .field(payment.rho())
                    .u64(payment.seenMillis())
                    .text(payment.reference()))
        .each(unread, (w, message) -> w.u64(message.firstPostMillis()).bytes(message.blob()));
  }

  private static TillStore decode(
      StoreLock lock, LogFile file, StoreCipher cipher, StoreCipher.Content content) {
    try {
      StateReader in = new StateReader(content.entries().getFirst());
      if (in.u32() != MARK) {
        throw new WalletException(WalletError.STORE_CORRUPT, "this is not a till's file");
      }
      if (in.u8() != VERSION) {
        throw new WalletException(
            WalletError.STORE_VERSION, "the till's file is of another version than this program");
      }
      var profile = ProfileCodec.read(in);
      var apk = new Apk(in.field());
      byte[] secret = in.fixed(HpkePrivateKey.BYTES);
      HpkePrivateKey key = HpkePrivateKey.of(secret);
      Arrays.fill(secret, (byte) 0);
      var known = new HashSet<>(in.each(StateReader::field));
      TillState state =
          new TillState(profile, apk, MailboxCursor.START, known)
              .after(cursor(in), payments(in), unread(in));
      in.requireEnd();
      for (byte[] change : content.entries().subList(1, content.entries().size())) {
        StateReader entry = new StateReader(change);
        state = state.after(cursor(entry), payments(entry), unread(entry));
        entry.requireEnd();
      }
      return new TillStore(lock, file, cipher, key, state, content.end());
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new WalletException(
          WalletError.STORE_CORRUPT, "the content of the till's file is damaged", e);
    }
  }

  private static MailboxCursor cursor(StateReader in) {
    return new MailboxCursor(in.u64(), Digest32.of(in.fixed(Digest32.BYTES)));
  }

  private static List<TillPayment> payments(StateReader in) {
    return in.each(r -> new TillPayment(r.amount(), r.field(), r.u64(), r.text()));
  }

  /** Files of earlier programs end before it. */
  private static List<PendingDelivery> unread(StateReader in) {
    return in.isEnd()
        ? List.of()
        : in.each(r -> {
          long millis = r.u64();
          return PendingDelivery.tagged(r.bytes(), millis);
        });
  }

  private static WalletException unwritable(IOException cause) {
    return new WalletException(
        WalletError.STORE_UNWRITABLE,
        "the till's file cannot be written: " + cause.getMessage(),
        cause);
  }
}
