package io.solidus.wallet.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sealed blob for the mailbox. The wallet keeps it after the post, because a mailbox that comes
 * back from a backup may have lost it.
 *
 * @param transfer index of the transfer in the wallet's chain, {@link #SELF} for a backup copy, or
 *     {@link #TAGGED}
 * @param payee the place of its reader among the transfer's payees, from 0; behind them it is for
 *     nobody, so that the number of posts does not tell how many are paid
 * @param firstPostMillis time of the first post, 0 before it
 */
public record PendingDelivery(
    int transfer, int payee, byte[] blob, Stage stage, long firstPostMillis) {
  public static final int SELF = -1;

  /**
   * A payer's message that a gateway showed by a tag. It is kept until it is seen in the wallet's
   * bucket, and posted there if it is missing.
   */
  public static final int TAGGED = -2;

  /** What is known of the blob. */
  public enum Stage {
    /** To be posted. */
    WAITING,
    /** The gateway answered that the mailbox has it. */
    POSTED,
    /** The wallet read it in the mailbox. */
    SEEN
  }

  public PendingDelivery {
    blob = blob.clone();
    if (payee < 0 || payee >= Memo.MAX_PAYEES) {
      throw new IllegalArgumentException("a transfer has at most 8 payees");
    }
  }

  /** A blob for the first payee that was never posted. */
  public PendingDelivery(int transfer, byte[] blob) {
    this(transfer, 0, blob);
  }

  /** A blob that was never posted. */
  public PendingDelivery(int transfer, int payee, byte[] blob) {
    this(transfer, payee, blob, Stage.WAITING, 0);
  }

  /** A payer's message that a gateway showed by a tag: it says that the mailbox has it. */
  public static PendingDelivery tagged(byte[] blob, long nowMillis) {
    return new PendingDelivery(TAGGED, 0, blob, Stage.POSTED, nowMillis);
  }

  /** Whether it is for this wallet itself, and of no transfer that it made. */
  public boolean isOwn() {
    return transfer < 0;
  }

  public boolean isTagged() {
    return transfer == TAGGED;
  }

  @Override
  public byte[] blob() {
    return blob.clone();
  }

  public PendingDelivery posted(long nowMillis) {
    return new PendingDelivery(
        transfer, payee, blob, Stage.POSTED, firstPostMillis == 0 ? nowMillis : firstPostMillis);
  }

  public PendingDelivery with(Stage next) {
    return new PendingDelivery(transfer, payee, blob, next, firstPostMillis);
  }

  public boolean isWaiting() {
    return stage == Stage.WAITING;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof PendingDelivery other
        && transfer == other.transfer
        && payee == other.payee
        && stage == other.stage
        && firstPostMillis == other.firstPostMillis
        && Arrays.equals(blob, other.blob);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(blob);
  }
}
