package io.solidus.loadtest.chaos.oracle;

import java.util.List;

/**
 * What the checks found.
 *
 * @param lost signatures that left an authority which no longer knows of them, and transfers that
 *     did not finish
 * @param doubled serial numbers with two cores at one authority, or with two certificates
 * @param driftMinor money that appeared or vanished
 * @param violations in words, at most {@link Checks#MAX_WORDS} of each kind
 */
public record Verdict(long lost, long doubled, long driftMinor, List<String> violations) {

  public boolean ok() {
    return violations.isEmpty();
  }
}
