package io.solidus.wallet.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sealed blob for the mailbox. The wallet keeps it after the post, because a mailbox that comes
 * back from a backup may have lost it.
 *
 * @param transfer index of the transfer in the wallet's chain, or {@link #SELF} for a backup copy
 * @param firstPostMillis time of the first post, 0 before it
 */
public record PendingDelivery(int transfer, byte[] blob, Stage stage, long firstPostMillis) {
  public static final int SELF = -1;

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
  }

  /** A blob that was never posted. */
  public PendingDelivery(int transfer, byte[] blob) {
    this(transfer, blob, Stage.WAITING, 0);
  }

  @Override
  public byte[] blob() {
    return blob.clone();
  }

  public PendingDelivery posted(long nowMillis) {
    return new PendingDelivery(
        transfer, blob, Stage.POSTED, firstPostMillis == 0 ? nowMillis : firstPostMillis);
  }

  public PendingDelivery with(Stage next) {
    return new PendingDelivery(transfer, blob, next, firstPostMillis);
  }

  public boolean isWaiting() {
    return stage == Stage.WAITING;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof PendingDelivery other
        && transfer == other.transfer
        && stage == other.stage
        && firstPostMillis == other.firstPostMillis
        && Arrays.equals(blob, other.blob);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(blob);
  }
}
