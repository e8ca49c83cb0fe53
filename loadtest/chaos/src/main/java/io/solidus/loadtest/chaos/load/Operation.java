package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * One transfer of a correct wallet.
 *
 * @param refusals final refusals, as "authority N: code"; a correct wallet gets none, whatever is
 *     broken
 */
public record Operation(TxCore core, Outcome outcome, List<String> refusals) {

  public enum Outcome {
    OK,
    /** Still under way: it may or may not happen. */
    UNKNOWN,
    /** Refused for good. */
    FAIL
  }
}
