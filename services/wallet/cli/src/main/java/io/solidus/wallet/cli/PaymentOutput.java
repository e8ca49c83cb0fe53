package io.solidus.wallet.cli;

import io.solidus.protocol.Amount;
import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import java.util.LinkedHashMap;
import java.util.Map;

/** The output of a finished transfer. */
final class PaymentOutput {
  private PaymentOutput() {}

  static Map<String, Object> json(Payment payment) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("core", payment.core().hex());
    json.put("leadSerial", payment.lead().hex());
    json.put("paidMinor", payment.paid().minor());
    json.put("withdrawnMinor", payment.withdrawn().minor());
    json.put("claimedMinor", payment.claimed().minor());
    json.put("claimedCoins", payment.claimedCoins());
    json.put("claimsBefore", payment.claimsBefore().size());
    json.put("delivered", payment.delivered());
    json.put("redeemed", payment.redeemed());
    json.put("authorities", payment.authorities());
    return json;
  }

  static String text(Wallet wallet, Payment payment) {
    StringBuilder text = new StringBuilder();
    line(text, "Paid:      ", wallet, payment.paid());
    line(text, "Withdrawn: ", wallet, payment.withdrawn());
    if (wallet.profile().kind() == NetworkKind.REGULATED) {
      line(text, "Claimed:   ", wallet, payment.claimed());
      if (payment.claimedCoins() > 0) {
        text.append("Coins:     ").append(payment.claimedCoins()).append('\n');
      }
    }
    text.append("Transfer:  ").append(payment.core().hex());
    if (!payment.delivered() || !payment.redeemed()) {
      text.append("\nA delivery or payout is pending;")
          .append(" the next command or 'solidus wallet settle' repeats it.");
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String label, Wallet wallet, Amount amount) {
    if (!amount.isZero()) {
      text.append(label).append(OpenWalletCommand.money(wallet, amount)).append('\n');
    }
  }
}
