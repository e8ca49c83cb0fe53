package io.solidus.wallet.core;

import io.solidus.protocol.Amount;
import io.solidus.protocol.EncryptionKey;
import io.solidus.wallet.model.PayoutInstruction;
import java.nio.charset.StandardCharsets;

/**
 * What a person asked for. A command with an id is carried out once, also after the process died.
 *
 * @param id the application's: 1 to 64 bytes
 * @param details the record of a kind that needs more
 */
public record CoreCommand(
    String id, Kind kind, String payee, Amount amount, String text, byte[] details) {
  private static final int MAX_ID_BYTES = 64;
  private static final byte[] NONE = {};

  /** The kinds of W-32, with their numbers. */
  public enum Kind {
    RESTORE(1),
    RECEIVE(2),
    PAY(3),
    SETTLE(4),
    WITHDRAW(5),
    MINT(6),
    COLLECT(7),
    REGISTER(8),
    RECOVER(9),
    RECEIVE_WHOLE(10);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  public CoreCommand {
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > MAX_ID_BYTES) {
      throw new IllegalArgumentException("the id of a command has 1 to 64 bytes");
    }
  }

  /** Finds coins and transfers of the words. */
  public static CoreCommand restore(String id) {
    return of(id, Kind.RESTORE);
  }

  /** Reads the mailbox. */
  public static CoreCommand receive(String id) {
    return of(id, Kind.RECEIVE);
  }

  /**
   * Reads the mailbox whole, which only the owner decides: the gateway sees that this wallet does
   * not wait, and alone says what there is (W-38).
   */
  public static CoreCommand receiveWhole(String id) {
    return of(id, Kind.RECEIVE_WHOLE);
  }

  /**
   * Pays.
   *
   * @param payee an address
   * @param text for the payee, of at most 140 bytes
   */
  public static CoreCommand pay(String id, String payee, Amount amount, String text) {
    return new CoreCommand(id, Kind.PAY, payee, amount, text, NONE);
  }

  /**
   * Pays a request, which says amount and text. One with an id of its own is paid once.
   *
   * @param uri {@code sld:...}
   */
  public static CoreCommand pay(String id, String uri) {
    return pay(id, uri, Amount.ZERO, "");
  }

  /**
   * Withdraws, and asks for the payout.
   *
   * @param key the issuance service's, from the signed services
   */
  public static CoreCommand withdraw(
      String id, Amount amount, EncryptionKey key, PayoutInstruction account) {
    byte[] details =
        new RecordWriter()
            .raw(key.bytes())
            .text(account.creditorName())
            .text(account.iban())
            .text(account.reference())
            .take();
    return new CoreCommand(id, Kind.WITHDRAW, "", amount, "", details);
  }

  /**
   * Asks for the coin of a funding that the bank recorded.
   *
   * @param ordinal 0 for the first coin of a funding
   */
  public static CoreCommand mint(
      String id, String funding, String accessToken, int ordinal, Amount amount) {
    byte[] details = new RecordWriter().text(funding).text(accessToken).u32(ordinal).take();
    return new CoreCommand(id, Kind.MINT, "", amount, "", details);
  }

  /** Takes what the bank has approved: the registration, and mints. */
  public static CoreCommand collect(String id) {
    return of(id, Kind.COLLECT);
  }

  /**
   * Opens a registration case. The core keeps the applicant as long as this command is at work.
   *
   * @param applicant a JSON object with {@code person} or {@code organisation}, and {@code bank}
   *     where there are several
   */
  public static CoreCommand register(String id, String applicant) {
    byte[] details = applicant.getBytes(StandardCharsets.UTF_8);
    return new CoreCommand(id, Kind.REGISTER, "", Amount.ZERO, "", details);
  }

  /** Finishes what is in flight, and delivers what waits. */
  public static CoreCommand settle(String id) {
    return of(id, Kind.SETTLE);
  }

  /**
   * Frees an account that the owner's own cores lock, and burns the largest payment that did not
   * complete (W-10). An account that is not locked burns nothing.
   */
  public static CoreCommand recover(String id) {
    return of(id, Kind.RECOVER);
  }

  /**
   * As {@link #recover}, for an owner who waits no longer for authorities that do not answer: burns
   * also a payment of which too few answer to tell whether it has completed.
   */
  public static CoreCommand recoverEvenIfPaid(String id) {
    return new CoreCommand(id, Kind.RECOVER, "", Amount.ZERO, "", new byte[] {1});
  }

  private static CoreCommand of(String id, Kind kind) {
    return new CoreCommand(id, kind, "", Amount.ZERO, "", NONE);
  }

  @Override
  public String toString() {
    return "CoreCommand[redacted]";
  }

  void write(RecordWriter out) {
    out.text(id).u8(kind.number).text(payee).u64(amount.minor()).text(text).sized(details);
  }
}
