package io.solidus.operator.sanctions.policy;

import io.solidus.operator.sanctions.approval.WrittenReason;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import org.jspecify.annotations.Nullable;

/**
 * A proposed halt of the whole network: nobody pays, withdraws or is minted to until it is lifted.
 *
 * @param reason 1 to 2000 characters
 * @param effectiveInSeconds delay after the approval, at most an hour; 0 when missing. Authorities
 *     accept payments under the policy before for their grace time after that
 */
public record Halt(
    @Member(min = 1, max = 2000) @Nullable String reason,
    @Member(optional = true, min = 0, max = MAX_DELAY_SECONDS) @Nullable Long effectiveInSeconds) {
  private static final long MAX_DELAY_SECONDS = 3600;

  /**
   * The delay after the approval in milliseconds.
   *
   * @throws ProtocolException malformed-request when the reason or the delay is out of range
   */
  long delayMillis() {
    WrittenReason.require(reason, "reason");
    long seconds = effectiveInSeconds == null ? 0 : effectiveInSeconds;
    if (seconds < 0 || seconds > MAX_DELAY_SECONDS) {
      throw ProtocolException.malformed(
          "effectiveInSeconds must be between 0 and " + MAX_DELAY_SECONDS);
    }
    return seconds * 1000;
  }

  /**
   * Why a halt is lifted.
   *
   * @param reason 1 to 2000 characters
   */
  public record Lifting(@Member(min = 1, max = 2000) @Nullable String reason) {
    void check() {
      WrittenReason.require(reason, "reason");
    }
  }
}
