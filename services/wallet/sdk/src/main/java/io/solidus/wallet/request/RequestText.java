package io.solidus.wallet.request;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Bech32m;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads payment requests as a URI, the same for links, QR codes and NFC: {@code sld:},
 * then an address, or Bech32m with prefix "sldr" over version 1 (1 byte), the network tag (16), and
 * fields in the order of their types, each with its type (1), its length (1) and its value.
 */
@Spec("F-36")
public final class RequestText {
  public static final String SCHEME = "sld:";
  public static final String HRP = "sldr";
  private static final byte VERSION = 1;
  private static final int NETWORK_BYTES = 16;
  private static final int KEYS_BYTES = FieldElement.BYTES + EncryptionKey.BYTES;

  private static final int PAYEE = 1;
  private static final int AMOUNT = 2;
  private static final int CURRENCY = 3;
  private static final int EXPIRES_AT = 4;
  private static final int ID = 5;
  private static final int TAG = 6;
  private static final int LABEL = 7;
  private static final int REFUND_TO = 8;

  /** A reader passes over types from here on that it does not know. */
  private static final int OPTIONAL_FROM = 128;

  private static final int SIGNATURE = 255;

  private RequestText() {}

  /**
   * A request as it was read.
   *
   * @param signer the key that signed it; null for none. Whose key it is, the text cannot say
   */
  public record Read(PaymentRequest request, @Nullable Ed25519PublicKey signer) {}

  /** The URI of an address. */
  public static String uri(NetworkId network, Address payee) {
    return SCHEME + payee.encode(network);
  }

  /**
   * The URI of a request.
   *
   * @param signer signs all of it; null for none
   */
  public static String write(
      NetworkId network, PaymentRequest request, @Nullable Ed25519PrivateKey signer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(VERSION);
    out.writeBytes(network.tag());
    field(out, PAYEE, address(request.payee()));
    PaymentRequest.Price price = request.price();
    if (price != null) {
      field(out, AMOUNT, u64(price.amount().minor()));
      field(out, CURRENCY, ascii(price.currency().value()));
    }
    if (request.expiresAt() != null) {
      field(out, EXPIRES_AT, u64(request.expiresAt().toEpochMilli()));
    }
    if (request.id() != null) {
      field(out, ID, request.id().bytes());
    }
    if (request.tag() != null) {
      field(out, TAG, request.tag().bytes());
    }
    if (!request.label().isEmpty()) {
      field(out, LABEL, request.label().getBytes(StandardCharsets.UTF_8));
    }
    if (request.refundTo() != null) {
      field(out, REFUND_TO, address(request.refundTo()));
    }
    if (signer != null) {
      byte[] signature = signer.sign(signed(network, out.toByteArray()));
      field(out, SIGNATURE, join(signer.publicKey().bytes(), signature));
    }
    return SCHEME + Bech32m.encode(HRP, out.toByteArray());
  }

  /** Whether the text means to be a request and not an address. */
  public static boolean isRequest(String text) {
    return withoutScheme(text).toLowerCase(Locale.ROOT).startsWith(HRP + "1");
  }

  /**
   * Reads a request or an address, with or without the scheme, in lower or upper case.
   *
   * @throws ProtocolException malformed-request, unknown-version, wrong-network or
   *     signature-invalid
   */
  public static Read read(NetworkId network, String text) {
    String payload = withoutScheme(text);
    Bech32m.Decoded decoded = Bech32m.decode(payload);
    if (decoded.hrp().equals(Address.HRP)) {
      return new Read(PaymentRequest.of(Address.decode(network, payload)), null);
    }
    if (!decoded.hrp().equals(HRP)) {
      throw ProtocolException.malformed("not a payment request of this system");
    }
    return new Reader(network, decoded.toBytes()).read();
  }

  /** Reads the fields of a request; a fault throws where it stands. */
  private static final class Reader {
    private final NetworkId network;
    private final byte[] bytes;
    private final ByteBuffer in;
    private @Nullable Address payee;
    private @Nullable Amount amount;
    private @Nullable CurrencyCode currency;
    private @Nullable Instant expiresAt;
    private @Nullable RequestToken id;
    private @Nullable RequestToken tag;
    private String label = "";
    private @Nullable Address refundTo;
    private @Nullable Ed25519PublicKey signer;

    Reader(NetworkId network, byte[] bytes) {
      this.network = network;
      this.bytes = bytes;
      this.in = ByteBuffer.wrap(bytes);
    }

    Read read() {
      if (u8() != VERSION) {
        throw unknown("a payment request of another version");
      }
      if (!Arrays.equals(take(NETWORK_BYTES), network.tag())) {
        throw new ProtocolException(
            RejectionCode.WRONG_NETWORK, "a payment request of another network");
      }
      int last = 0;
      while (in.hasRemaining()) {
        int start = in.position();
        int type = u8();
        if (type <= last) {
          throw ProtocolException.malformed("the fields of a request are not in their order");
        }
        last = type;
        field(type, take(u8()), start);
      }
      if (payee == null) {
        throw ProtocolException.malformed("a request without a payee");
      }
      return new Read(
          new PaymentRequest(payee, price(), expiresAt, id, tag, label, refundTo), signer);
    }

    private void field(int type, byte[] value, int start) {
      switch (type) {
        case PAYEE -> payee = address(value);
        case AMOUNT -> amount = amount(value);
        case CURRENCY -> currency = currency(value);
        case EXPIRES_AT -> expiresAt = Instant.ofEpochMilli(number(value));
        case ID -> id = RequestToken.of(value);
        case TAG -> tag = RequestToken.of(value);
        case LABEL -> label = label(value);
        case REFUND_TO -> refundTo = address(value);
        case SIGNATURE -> signer = signer(value, start);
        default -> {
          if (type < OPTIONAL_FROM) {
            throw unknown("a payment request with a field that this wallet does not know");
          }
        }
      }
    }

    private PaymentRequest.@Nullable Price price() {
      if (amount == null && currency == null) {
        return null;
      }
      if (amount == null || currency == null) {
        throw ProtocolException.malformed("a request has an amount and a currency, or neither");
      }
      return new PaymentRequest.Price(amount, currency);
    }

    private Ed25519PublicKey signer(byte[] value, int start) {
      int keyBytes = Ed25519PublicKey.BYTES;
      if (value.length != keyBytes + Ed25519PublicKey.SIGNATURE_BYTES) {
        throw ProtocolException.malformed("the signature of a request has a wrong length");
      }
      Ed25519PublicKey key = new Ed25519PublicKey(Arrays.copyOf(value, keyBytes));
      byte[] signature = Arrays.copyOfRange(value, keyBytes, value.length);
      if (!key.verify(signed(network, Arrays.copyOf(bytes, start)), signature)) {
        throw new ProtocolException(
            RejectionCode.SIGNATURE_INVALID, "the signature of a payment request does not verify");
      }
      return key;
    }

    private int u8() {
      return Byte.toUnsignedInt(take(1)[0]);
    }

    private byte[] take(int length) {
      if (length > in.remaining()) {
        throw ProtocolException.malformed("a payment request is cut short");
      }
      byte[] out = new byte[length];
      in.get(out);
      return out;
    }
  }

  private static Amount amount(byte[] value) {
    long minor = number(value);
    if (minor == 0) {
      throw ProtocolException.malformed("a request asks for more than zero");
    }
    return new Amount(minor);
  }

  private static long number(byte[] value) {
    if (value.length != Long.BYTES || value[0] < 0) {
      throw ProtocolException.malformed("a number of a request is not below 2^63");
    }
    return ByteBuffer.wrap(value).getLong();
  }

  private static CurrencyCode currency(byte[] value) {
    // a byte that is not ASCII becomes a character that no code has
    return new CurrencyCode(new String(value, StandardCharsets.US_ASCII));
  }

  private static String label(byte[] value) {
    if (value.length == 0) {
      throw ProtocolException.malformed("an empty label is left out");
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      throw ProtocolException.malformed("the label of a request is not UTF-8");
    }
    PaymentRequest.requireLabel(text);
    return text;
  }

  private static byte[] address(Address address) {
    return join(
        address.apk().bytes(), address.encryptionKey().bytes(), ascii(address.mailbox().host()));
  }

  private static Address address(byte[] value) {
    if (value.length < KEYS_BYTES) {
      throw ProtocolException.malformed("an address of a request is cut short");
    }
    return new Address(
        Apk.of(Arrays.copyOf(value, FieldElement.BYTES)),
        EncryptionKey.of(Arrays.copyOfRange(value, FieldElement.BYTES, KEYS_BYTES)),
        new Mailbox(
            new String(value, KEYS_BYTES, value.length - KEYS_BYTES, StandardCharsets.US_ASCII)));
  }

  @Spec("F-38")
  private static byte[] signed(NetworkId network, byte[] content) {
    return join(ascii("solidus/payment-request/v1\n"), network.digest().bytes(), content);
  }

  private static String withoutScheme(String text) {
    return text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? text.substring(SCHEME.length())
        : text;
  }

  private static void field(ByteArrayOutputStream out, int type, byte[] value) {
    out.write(type);
    out.write(value.length);
    out.writeBytes(value);
  }

  private static byte[] u64(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static ProtocolException unknown(String detail) {
    return new ProtocolException(RejectionCode.UNKNOWN_VERSION, detail);
  }
}
