package io.solidus.protocol;

/**
 * A network is regulated or not, never both: one committee key for both would let coins step around
 * every limit.
 */
public enum NetworkKind {
  REGULATED,
  UNREGULATED;

  /** The family of this network's transfers. */
  public Family transferFamily() {
    return this == REGULATED ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
  }
}
