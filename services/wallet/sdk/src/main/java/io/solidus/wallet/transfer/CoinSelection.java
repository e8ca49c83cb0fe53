package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.OwnedCoin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Selects the received coins that a transfer claims: as many as the holding limit allows, so that
 * unclaimed coins do not accumulate. A transfer claims at most two, larger ones first. Where a
 * network has claims of 16 and there are five coins or more, it claims the oldest ones: two devices
 * of a wallet then claim the same coins, one of them perhaps more, and a recover over both loses
 * none.
 */
public final class CoinSelection {
  /** Bound of the coins whose pairs are tried. */
  private static final int CONSIDERED = 64;

  /** From so many coins on a wallet claims many in one transfer. */
  private static final int MANY = 5;

  /** What one transfer may claim. */
  public enum Claims {
    TWO(2),
    SIXTEEN(16);

    private final int most;

    Claims(int most) {
      this.most = most;
    }
  }

  private CoinSelection() {}

  /**
   * The coins for a transfer that pays and withdraws these amounts; empty when no choice of the
   * coins that it may claim covers the amounts within the holding limit.
   */
  @Spec("W-48")
  public static Optional<List<OwnedCoin>> choose(
      ComplianceCoin cc,
      Policy policy,
      List<OwnedCoin> coins,
      Amount paid,
      Amount withdrawn,
      Claims claims) {
    long rest =
        Math.subtractExact(cc.held().minor(), Math.addExact(paid.minor(), withdrawn.minor()));
    if (claimsMany(coins, claims)) {
      List<OwnedCoin> oldest = oldest(cc, policy, coins, rest, claims.most);
      if (oldest.size() > Claims.TWO.most) {
        return Optional.of(oldest);
      }
    }
    return options(coins).stream()
        .filter(option -> LimitRules.mayHold(cc, policy, Math.addExact(rest, total(option))))
        .max(
            Comparator.<List<OwnedCoin>>comparingInt(List::size)
                .thenComparingLong(CoinSelection::total));
  }

  /**
   * The coins for a claim without a payment.
   *
   * @throws ProtocolException over-limit-held when no coin fits under the holding limit
   */
  public static List<OwnedCoin> claim(
      ComplianceCoin cc, Policy policy, List<OwnedCoin> coins, Claims claims) {
    return choose(cc, policy, coins, Amount.ZERO, Amount.ZERO, claims)
        .filter(chosen -> !chosen.isEmpty())
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.OVER_LIMIT_HELD, "no received coin fits under the holding limit"));
  }

  /**
   * The two largest coins, or the oldest ones where there are many that cover the amount, without
   * regard to the holding limit, for a transfer that withdraws the surplus.
   *
   * @param needed beside the balance, in minor units; may be below zero
   */
  public static List<OwnedCoin> withSurplus(List<OwnedCoin> coins, Claims claims, long needed) {
    if (claimsMany(coins, claims)) {
      List<OwnedCoin> oldest = List.copyOf(coins.subList(0, Math.min(claims.most, coins.size())));
      if (total(oldest) >= needed) {
        return oldest;
      }
    }
    return largest(coins);
  }

  /** The two largest coins. */
  public static List<OwnedCoin> largest(List<OwnedCoin> coins) {
    List<OwnedCoin> sorted = descending(coins);
    return sorted.subList(0, Math.min(Claims.TWO.most, sorted.size()));
  }

  private static boolean claimsMany(List<OwnedCoin> coins, Claims claims) {
    return claims.most > Claims.TWO.most && coins.size() >= MANY;
  }

  /**
   * As many coins as possible, from the first that the wallet received on, with which a balance is
   * covered and within the holding limit.
   *
   * @param rest the balance without coins, below zero where it does not cover the amounts
   */
  private static List<OwnedCoin> oldest(
      ComplianceCoin cc, Policy policy, List<OwnedCoin> coins, long rest, int most) {
    int fitting = 0;
    long held = rest;
    for (int i = 0; i < Math.min(most, coins.size()); i++) {
      held = Math.addExact(held, coins.get(i).value().minor());
      if (LimitRules.mayHold(cc, policy, held)) {
        fitting = i + 1;
      } else if (held > 0) {
        break; // above the limit, and more with each coin
      }
    }
    return List.copyOf(coins.subList(0, fitting));
  }

  /**
   * The coins of a payment or a withdrawal in an unregulated network: two if it can be, so that
   * small coins do not accumulate, and those with the smallest sum, so that large coins stay whole.
   * Empty when no two coins cover the amount.
   *
   * @param needed more than zero
   */
  public static Optional<List<OwnedCoin>> covering(List<OwnedCoin> coins, Amount needed) {
    return options(coins).stream()
        .filter(option -> total(option) >= needed.minor())
        .max(
            Comparator.<List<OwnedCoin>>comparingInt(List::size)
                .thenComparing(Comparator.comparingLong(CoinSelection::total).reversed()));
  }

  private static List<List<OwnedCoin>> options(List<OwnedCoin> coins) {
    List<OwnedCoin> considered = considered(coins);
    List<List<OwnedCoin>> options = new ArrayList<>();
    options.add(List.of());
    for (int i = 0; i < considered.size(); i++) {
      options.add(List.of(considered.get(i)));
      for (int j = i + 1; j < considered.size(); j++) {
        options.add(List.of(considered.get(i), considered.get(j)));
      }
    }
    return options;
  }

  /**
   * Of too many coins, the largest (to cover the amount) and the smallest (to fit under the holding
   * limit).
   */
  private static List<OwnedCoin> considered(List<OwnedCoin> coins) {
    List<OwnedCoin> sorted = descending(coins);
    if (sorted.size() <= CONSIDERED) {
      return sorted;
    }
    List<OwnedCoin> ends = new ArrayList<>(sorted.subList(0, CONSIDERED / 2));
    ends.addAll(sorted.subList(sorted.size() - CONSIDERED / 2, sorted.size()));
    return ends;
  }

  private static List<OwnedCoin> descending(List<OwnedCoin> coins) {
    return coins.stream().sorted(Comparator.comparing(OwnedCoin::value).reversed()).toList();
  }

  private static long total(List<OwnedCoin> coins) {
    return OwnedCoin.total(coins).minor();
  }
}
