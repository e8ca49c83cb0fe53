package io.solidus.wallet.request;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a payee asks for. {@link RequestText} writes and reads it.
 *
 * @param price null where the payer chooses the amount
 * @param expiresAt a payer's wallet pays before this time only; null for no end. Parts of a
 *     millisecond are cut off
 * @param id is paid once by each wallet; null for a request that may be paid often
 * @param tag with which a payer posts the payment's message, so that the gateway tells the payee at
 *     once; null for none. It tells the gateway which message pays whom
 * @param label what the payment is for, at most 100 bytes of UTF-8; may be empty
 * @param refundTo where the payee will send a refund of this payment; null where it has not said so
 */
@Spec("F-37")
public record PaymentRequest(
    Address payee,
    @Nullable Price price,
    @Nullable Instant expiresAt,
    @Nullable RequestToken id,
    @Nullable RequestToken tag,
    String label,
    @Nullable Address refundTo) {
  public static final int MAX_LABEL_BYTES = 100;
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  /** An amount with its currency. */
  public record Price(Amount amount, CurrencyCode currency) {
    /**
     * @throws ProtocolException malformed-request for an amount of zero
     */
    public Price {
      if (amount.isZero()) {
        throw ProtocolException.malformed("a request asks for more than zero");
      }
    }
  }

  /**
   * @throws ProtocolException malformed-request for a label that is too long or has characters that
   *     are not shown, and for a time before 1970
   */
  public PaymentRequest {
    requireLabel(label);
    if (expiresAt != null) {
      if (expiresAt.isBefore(Instant.EPOCH) || expiresAt.isAfter(LATEST)) {
        throw ProtocolException.malformed("a request expires after 1970");
      }
      expiresAt = expiresAt.truncatedTo(ChronoUnit.MILLIS); // what its text has room for
    }
  }

  /** A request for any amount, which may be paid often: what an address alone says. */
  public static PaymentRequest of(Address payee) {
    return new PaymentRequest(payee, null, null, null, null, "", null);
  }

  /**
   * The request with the amount that its payer chose.
   *
   * @throws ProtocolException malformed-request when the payee named an amount
   */
  public PaymentRequest withPrice(Price chosen) {
    if (price != null) {
      throw ProtocolException.malformed("the request names its amount");
    }
    return new PaymentRequest(payee, chosen, expiresAt, id, tag, label, refundTo);
  }

  /** The same request, which is paid before this time only. */
  public PaymentRequest withExpiry(Instant time) {
    return new PaymentRequest(payee, price, time, id, tag, label, refundTo);
  }

  /** The same request, which each wallet pays once. */
  public PaymentRequest withId(RequestToken once) {
    return new PaymentRequest(payee, price, expiresAt, once, tag, label, refundTo);
  }

  /** The same request, whose payment the gateway tells the payee at once. */
  public PaymentRequest withTag(RequestToken oneTime) {
    return new PaymentRequest(payee, price, expiresAt, id, oneTime, label, refundTo);
  }

  /** The same request, whose refund goes to this address. */
  public PaymentRequest withRefundTo(Address payer) {
    return new PaymentRequest(payee, price, expiresAt, id, tag, label, payer);
  }

  /** The same request with another label. */
  public PaymentRequest withLabel(String other) {
    return new PaymentRequest(payee, price, expiresAt, id, tag, other, refundTo);
  }

  /** The same request, paid so that the gateway does not learn which message pays it. */
  public PaymentRequest withoutTag() {
    return new PaymentRequest(payee, price, expiresAt, id, null, label, refundTo);
  }

  public boolean hasExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }

  /** The text that its payment carries to the payee: the id first, by which the payee finds it. */
  @Spec("F-39")
  public String paymentText() {
    if (id == null) {
      return label;
    }
    return label.isEmpty() ? id.hex() : id.hex() + " " + label;
  }

  /** Whether a payment's text is that of the request with this id. */
  public static boolean isFor(RequestToken id, String paymentText) {
    return paymentText.equals(id.hex()) || paymentText.startsWith(id.hex() + " ");
  }

  /**
   * A payer's own name of the payment of this request; null without an id. The payee is a part of
   * it, so that no other payee can use it up.
   */
  public @Nullable String paymentId() {
    return id == null ? null : paymentId(id.hex(), payee.apk());
  }

  /** That name by a payment's text; empty when the text has no id of a request. */
  public static Optional<String> paymentId(Apk payee, String paymentText) {
    int end = paymentText.indexOf(' ');
    String id = end < 0 ? paymentText : paymentText.substring(0, end);
    return RequestToken.isValid(id) ? Optional.of(paymentId(id, payee)) : Optional.empty();
  }

  private static String paymentId(String id, Apk payee) {
    return "request:" + id + ":" + payee.hex();
  }

  static void requireLabel(String label) {
    try {
      int bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(label)).remaining();
      if (bytes > MAX_LABEL_BYTES) {
        throw ProtocolException.malformed(
            "the label of a request has at most " + MAX_LABEL_BYTES + " bytes");
      }
    } catch (CharacterCodingException e) {
      throw ProtocolException.malformed("the label of a request has half a character");
    }
    if (label.startsWith(" ")
        || label.endsWith(" ")
        || label.codePoints().anyMatch(PaymentRequest::isHidden)) {
      throw ProtocolException.malformed(
          "the label of a request has a character that is not shown, or a space at an end");
    }
  }

  /** Control characters, and characters that reorder, break or hide others. */
  private static boolean isHidden(int c) {
    return c < 0x20
        || (c >= 0x7f && c <= 0x9f)
        || c == 0x061c
        || c == 0x200b
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2060 && c <= 0x206f)
        || c == 0xfeff;
  }
}
