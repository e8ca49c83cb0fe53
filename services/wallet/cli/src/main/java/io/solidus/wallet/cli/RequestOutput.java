package io.solidus.wallet.cli;

import io.solidus.wallet.ReadRequest;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.Money;
import io.solidus.wallet.request.PaymentRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a payer sees of a request before the payment. */
final class RequestOutput {
  private RequestOutput() {}

  /** Who is paid, as far as this wallet knows. */
  static Map<String, Object> payee(ReadRequest read) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (read.request().id() != null) {
      json.put("requestId", read.request().id().hex());
    }
    if (read.contact() != null) {
      json.put("contact", read.contact());
    }
    if (read.signer() != null) {
      json.put("signer", read.signer().hex());
    }
    if (read.verifiedAs() != null) {
      json.put("verifiedAs", read.verifiedAs());
    }
    return json;
  }

  /**
   * The text for people.
   *
   * @param request with the amount that is paid
   */
  static String text(Wallet wallet, ReadRequest read, PaymentRequest request) {
    StringBuilder text = new StringBuilder("Payee:   ");
    text.append(request.payee().encode(wallet.profile().network()));
    if (read.contact() != null) {
      text.append("\n         the address of your contact ").append(read.contact());
    }
    if (read.verifiedAs() != null) {
      text.append("\nSigned:  by your contact ").append(read.verifiedAs());
    } else if (read.signer() != null) {
      text.append("\nSigned:  by a key that none of your contacts has: ")
          .append(read.signer().hex());
    }
    PaymentRequest.Price price = request.price();
    if (price != null) {
      text.append("\nAmount:  ").append(Money.format(price.amount(), price.currency()));
    }
    if (!request.label().isEmpty()) {
      text.append("\nFor:     ").append(request.label());
    }
    if (request.expiresAt() != null) {
      text.append("\nExpires: ").append(request.expiresAt());
    }
    if (request.refundTo() != null) {
      text.append("\nRefunds: to ")
          .append(
              read.refundsToSelf()
                  ? "this wallet"
                  : request.refundTo().encode(wallet.profile().network()));
    }
    return text.toString();
  }
}
