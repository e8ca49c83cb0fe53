package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.model.OwnedCoin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The transfers that a payment needs: first the claims, then the transfer with the coins that it
 * claims. The whole payment is planned before the first request is sent, so that no coin is claimed
 * for an impossible payment.
 *
 * @param claims the coins of each claim, in order
 * @param inputs the coins that the payment's transfer claims
 */
public record PaymentPlan(List<List<OwnedCoin>> claims, List<OwnedCoin> inputs) {
  public PaymentPlan {
    claims = List.copyOf(claims);
    inputs = List.copyOf(inputs);
  }

  /**
   * Plans a payment or a withdrawal.
   *
   * @param most what one transfer may claim
   * @throws ProtocolException over-limit-transfer, over-limit-period, over-limit-count,
   *     over-limit-held or insufficient-funds
   */
  public static PaymentPlan of(
      ComplianceCoin start,
      Policy policy,
      List<OwnedCoin> received,
      Amount paid,
      Amount withdrawn,
      CoinSelection.Claims most) {
    return of(start, policy, received, List.of(paid), withdrawn, most, most);
  }

  /**
   * Plans a transfer with several payments.
   *
   * @param payments the amount of each
   * @param most what one claim before the transfer may claim
   * @param last what the transfer itself may claim
   * @throws ProtocolException as for one payment
   */
  public static PaymentPlan of(
      ComplianceCoin start,
      Policy policy,
      List<OwnedCoin> received,
      List<Amount> payments,
      Amount withdrawn,
      CoinSelection.Claims most,
      CoinSelection.Claims last) {
    Amount paid = payments.stream().reduce(Amount.ZERO, Amount::plus);
    LimitRules.requireWithinLimits(start, policy, policy.period(), payments);
    requireFunds(start, received, paid.plus(withdrawn));
    List<List<OwnedCoin>> claims = new ArrayList<>();
    List<OwnedCoin> coins = new ArrayList<>(received);
    ComplianceCoin cc = start;
    while (true) {
      LimitRules.requireWithinLimits(cc, policy, policy.period(), payments);
      Optional<List<OwnedCoin>> inputs =
          CoinSelection.choose(cc, policy, coins, paid, withdrawn, last);
      if (inputs.isPresent()) {
        return new PaymentPlan(claims, inputs.get());
      }
      List<OwnedCoin> claim = CoinSelection.claim(cc, policy, coins, most);
      claims.add(claim);
      coins.removeAll(claim);
      cc = afterClaim(cc, policy, claim);
    }
  }

  private static void requireFunds(ComplianceCoin cc, List<OwnedCoin> coins, Amount needed) {
    Amount available = cc.held().plus(OwnedCoin.total(coins));
    if (available.compareTo(needed) < 0) {
      throw new ProtocolException(
          RejectionCode.INSUFFICIENT_FUNDS, "the wallet holds less than the amount");
    }
  }

  private static ComplianceCoin afterClaim(
      ComplianceCoin cc, Policy policy, List<OwnedCoin> claim) {
    return after(cc, policy, claim, List.of());
  }

  /** What the limits see of the account after a transfer; it is no coin that anybody signs. */
  static ComplianceCoin after(
      ComplianceCoin cc, Policy policy, List<OwnedCoin> inputs, List<Amount> payments) {
    Amount paid = payments.stream().reduce(Amount.ZERO, Amount::plus);
    return new ComplianceCoin(
        cc.owner(),
        cc.rho(),
        policy.period(),
        LimitRules.sentAfter(cc, policy.period(), paid),
        LimitRules.countAfter(cc, policy.period(), payments),
        cc.held().plus(OwnedCoin.total(inputs)).minus(paid),
        cc.com());
  }

  /** What the limits see of the account after this plan's claims and its payments. */
  ComplianceCoin end(ComplianceCoin start, Policy policy, List<Amount> payments) {
    ComplianceCoin cc = start;
    for (List<OwnedCoin> claim : claims) {
      cc = afterClaim(cc, policy, claim);
    }
    return after(cc, policy, inputs, payments);
  }
}
