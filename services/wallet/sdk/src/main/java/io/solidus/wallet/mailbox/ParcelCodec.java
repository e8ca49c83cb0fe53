package io.solidus.wallet.mailbox;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.RegistrationCase;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes parcels: version, kind, body, and zeros up to a fixed length, so that all blobs have one
 * size.
 */
@Spec("F-09")
final class ParcelCodec {
  private static final int VERSION = 2;
  private static final int PAYMENT = 1;
  private static final int MINTED = 2;
  private static final int REGISTERED = 3;
  private static final int REGISTERING = 4;
  private static final int OWN_COIN = 6;
  private static final int MAX_TEXT = 255;

  private ParcelCodec() {}

  static byte[] encode(Parcel parcel, int length) {
    ByteBuffer out = ByteBuffer.allocate(length).put((byte) VERSION);
    switch (parcel) {
      case Parcel.Payment p -> {
        out.put((byte) PAYMENT).put((byte) p.origin().code());
        coin(out, p.value(), p.rho(), p.signature(), p.atMillis());
        text(out, p.reference());
      }
      case Parcel.Minted m ->
          coin(out.put((byte) MINTED), m.value(), m.rho(), m.signature(), m.atMillis());
      case Parcel.Registered r -> signature(out.put((byte) REGISTERED), r.signature());
      case Parcel.Registering r -> {
        text(out.put((byte) REGISTERING), r.opened().id());
        text(out, r.opened().accessToken());
        out.put(r.tag().bytes());
      }
      case Parcel.OwnCoin c -> {
        out.put((byte) OWN_COIN).put((byte) c.origin().code());
        coin(out, c.value(), c.rho(), c.signature(), c.atMillis());
        out.put(c.tag().bytes());
      }
    }
    return out.array();
  }

  /**
   * Decodes a parcel.
   *
   * @throws RuntimeException for bytes that are not a parcel; any sender with the address can send
   *     such bytes
   */
  static Parcel decode(byte[] plain) {
    ByteBuffer in = ByteBuffer.wrap(plain);
    if (in.get() != VERSION) {
      throw new IllegalArgumentException("unknown version of a parcel");
    }
    return switch (in.get()) {
      case PAYMENT ->
          new Parcel.Payment(
              Origin.of(in.get()),
              amount(in),
              field(in),
              signature(in),
              in.getLong(),
              reference(in));
      case MINTED -> new Parcel.Minted(amount(in), field(in), signature(in), in.getLong());
      case REGISTERED -> new Parcel.Registered(signature(in));
      case REGISTERING ->
          new Parcel.Registering(
              new RegistrationCase(text(in), text(in)), Digest32.of(take(in, Digest32.BYTES)));
      case OWN_COIN ->
          new Parcel.OwnCoin(
              Origin.of(in.get()),
              amount(in),
              field(in),
              signature(in),
              in.getLong(),
              Digest32.of(take(in, Digest32.BYTES)));
      default -> throw new IllegalArgumentException("unknown kind of parcel");
    };
  }

  private static void coin(
      ByteBuffer out, Amount value, FieldElement rho, Signature signature, long atMillis) {
    out.putLong(value.minor()).put(rho.bytes());
    signature(out, signature);
    out.putLong(atMillis);
  }

  private static void signature(ByteBuffer out, Signature signature) {
    out.put(signature.s1().bytes()).put(signature.s2().bytes());
  }

  private static void text(ByteBuffer out, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MAX_TEXT) {
      throw new IllegalArgumentException("a text in a parcel has at most " + MAX_TEXT + " bytes");
    }
    out.put((byte) utf8.length).put(utf8);
  }

  private static Amount amount(ByteBuffer in) {
    return new Amount(in.getLong());
  }

  private static FieldElement field(ByteBuffer in) {
    return FieldElement.of(take(in, FieldElement.BYTES));
  }

  private static Signature signature(ByteBuffer in) {
    return new Signature(G1Point.of(take(in, G1Point.BYTES)), G1Point.of(take(in, G1Point.BYTES)));
  }

  private static String text(ByteBuffer in) {
    return new String(take(in, Byte.toUnsignedInt(in.get())), StandardCharsets.UTF_8);
  }

  /**
   * The payer's text, bounded and without control and format characters, which could manipulate a
   * terminal.
   */
  private static String reference(ByteBuffer in) {
    return text(in)
        .codePoints()
        .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT)
        .limit(Memo.MAX_REFERENCE_BYTES)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static byte[] take(ByteBuffer in, int length) {
    byte[] out = new byte[length];
    in.get(out);
    return out;
  }
}
