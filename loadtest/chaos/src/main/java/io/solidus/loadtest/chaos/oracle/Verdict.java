package io.solidus.loadtest.chaos.oracle;

import java.util.List;

/**
 * The result of the checks.
 *
 * @param lost signatures that left an authority and are missing in its tables or log, and transfers
 *     that did not finish
 * @param doubled serial numbers with two cores at one authority or with two certificates
 * @param driftMinor money that appeared or vanished
 * @param violations described, at most {@link InvariantChecks#MAX_WORDS} of each kind
 */
public record Verdict(long lost, long doubled, long driftMinor, List<String> violations) {

  public boolean ok() {
    return violations.isEmpty();
  }
}
