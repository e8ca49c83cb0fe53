package io.solidus.protocol;

/**
 * Whether a network enforces limits and sanctions. A network is never both: with one committee key
 * for both, coins could evade every limit.
 */
public enum NetworkKind {
  REGULATED,
  UNREGULATED;

  /** The statement family of this network's transfers. */
  public Family transferFamily() {
    return this == REGULATED ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
  }
}
