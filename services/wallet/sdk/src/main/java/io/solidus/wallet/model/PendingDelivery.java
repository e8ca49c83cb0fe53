package io.solidus.wallet.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sealed blob that has not reached the mailbox yet.
 *
 * @param transfer index of the transfer in the wallet's chain, or {@link #SELF} for a backup copy
 */
public record PendingDelivery(int transfer, byte[] blob) {
  public static final int SELF = -1;

  public PendingDelivery {
    blob = blob.clone();
  }

  @Override
  public byte[] blob() {
    return blob.clone();
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof PendingDelivery other
        && transfer == other.transfer
        && Arrays.equals(blob, other.blob);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(blob);
  }
}
