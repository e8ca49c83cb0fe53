package io.solidus.wallet.core;

/**
 * How a command ended.
 *
 * @param code empty for success, otherwise the code of a refusal, of which the how-to has a list;
 *     {@code busy} when another command is at work, {@code cancelled}, {@code abandoned}
 */
public record CoreResult(String code) {
  static final CoreResult BUSY = new CoreResult("busy");
  static final CoreResult CANCELLED = new CoreResult("cancelled");

  public boolean ok() {
    return code.isEmpty();
  }
}
