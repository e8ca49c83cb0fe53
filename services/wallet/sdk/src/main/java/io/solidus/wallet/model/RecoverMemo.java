package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Period;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The memo that a wallet seals to itself in a recover. With the seed phrase and the public
 * statement it gives both outputs. All of it follows from the two cores and the credits, so two
 * devices seal the same memo.
 *
 * @param atMillis time of the newest of the two cores, in milliseconds since 1970
 * @param period of the new compliance coin, as are {@code sent}, {@code count}, {@code held} and
 *     {@code com}
 * @param returned value of the returned coin
 * @param outflow what is burnt
 * @param budget what the account held, with the credited coins
 * @param first history of the first core's compliance coin
 * @param second history of the second core's
 * @param unfinished the larger of those of the two cores
 * @param claimed rho of each coin that a core below claimed, in ascending order
 */
public record RecoverMemo(
    long atMillis,
    Period period,
    Amount sent,
    int count,
    Amount held,
    FieldElement com,
    Amount returned,
    Amount outflow,
    Amount budget,
    FieldElement first,
    FieldElement second,
    int unfinished,
    List<FieldElement> claimed) {
  /** As many as the memo block has room for. */
  public static final int MAX_CLAIMED = 26;

  public RecoverMemo {
    claimed = List.copyOf(claimed);
    if (claimed.size() > MAX_CLAIMED) {
      throw new IllegalArgumentException("a recover's memo has at most " + MAX_CLAIMED + " coins");
    }
    if (unfinished < 0) {
      throw new IllegalArgumentException("a memo's counters are not negative");
    }
  }

  /** Joins what the cores below claimed. */
  public static List<FieldElement> claimed(
      Collection<FieldElement> one, Collection<FieldElement> other) {
    Set<FieldElement> all = new HashSet<>(one);
    all.addAll(other);
    return all.stream().sorted().toList();
  }
}
