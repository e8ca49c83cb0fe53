package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * One transfer of a correct wallet.
 *
 * @param refusals final refusals, as "authority N: code"; no fault may cause one for a correct
 *     wallet
 */
public record Operation(TxCore core, Outcome outcome, List<String> refusals) {

  public enum Outcome {
    OK,
    /** Under way: it may or may not finish. */
    UNKNOWN,
    /** Finally refused. */
    FAIL
  }
}
