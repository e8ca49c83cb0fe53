package io.solidus.wallet.transfer;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.SpentInput;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes memos, big endian, padded with zeros to a fixed length. */
@Spec("F-05")
final class MemoCodec {
  private static final int ONE_PAYEE = 2;
  private static final int MANY_PAYEES = 3;

  private MemoCodec() {}

  static byte[] encode(Memo memo, int length) {
    ByteBuffer out = ByteBuffer.allocate(length);
    if (memo.payees().size() == 1) {
      PaymentOrder payee = memo.payees().getFirst();
      out.put((byte) ONE_PAYEE)
          .putShort((short) memo.counter())
          .putLong(memo.atMillis())
          .putLong(payee.amount().minor());
      put(out, payee.to());
      out.putLong(memo.withdrawn().minor()).putInt(memo.unfinished());
      put(out, memo.inputs());
      put(out, payee.reference(), StandardCharsets.UTF_8);
    } else {
      out.put((byte) MANY_PAYEES)
          .putShort((short) memo.counter())
          .putLong(memo.atMillis())
          .putLong(memo.withdrawn().minor())
          .putInt(memo.unfinished());
      put(out, memo.inputs());
      out.put((byte) memo.payees().size());
      for (PaymentOrder payee : memo.payees()) {
        out.putLong(payee.amount().minor());
        put(out, payee.to());
        put(out, payee.reference(), StandardCharsets.UTF_8);
      }
    }
    put(out, memo.bulk());
    return out.array();
  }

  /** Decodes bytes that the wallet's own key has authenticated; must not be used on other bytes. */
  static Memo decode(byte[] plain) {
    ByteBuffer in = ByteBuffer.wrap(plain);
    int version = in.get();
    if (version != ONE_PAYEE && version != MANY_PAYEES) {
      throw new IllegalArgumentException("unknown version of a memo");
    }
    int counter = Short.toUnsignedInt(in.getShort());
    long atMillis = in.getLong();
    if (version == ONE_PAYEE) {
      Amount paid = new Amount(in.getLong());
      Address recipient = address(in);
      Amount withdrawn = new Amount(in.getLong());
      int unfinished = in.getInt();
      List<SpentInput> inputs = inputs(in);
      PaymentOrder payee = new PaymentOrder(recipient, paid, text(in, StandardCharsets.UTF_8));
      return new Memo(counter, atMillis, List.of(payee), withdrawn, inputs, unfinished, bulk(in));
    }
    Amount withdrawn = new Amount(in.getLong());
    int unfinished = in.getInt();
    List<SpentInput> inputs = inputs(in);
    List<PaymentOrder> payees = new ArrayList<>();
    int count = Byte.toUnsignedInt(in.get());
    if (count < 2 || count > Memo.MAX_PAYEES) {
      throw new IllegalArgumentException("a memo of this version has 2 to 8 payees");
    }
    for (int i = 0; i < count; i++) {
      Amount paid = new Amount(in.getLong());
      payees.add(new PaymentOrder(address(in), paid, text(in, StandardCharsets.UTF_8)));
    }
    return new Memo(counter, atMillis, payees, withdrawn, inputs, unfinished, bulk(in));
  }

  private static void put(ByteBuffer out, Address address) {
    out.put(address.apk().bytes()).put(address.encryptionKey().bytes());
    put(out, address.mailbox().host(), StandardCharsets.US_ASCII);
  }

  private static Address address(ByteBuffer in) {
    return new Address(
        new Apk(FieldElement.of(take(in, FieldElement.BYTES))),
        new EncryptionKey(take(in, EncryptionKey.BYTES)),
        new Mailbox(text(in, StandardCharsets.US_ASCII)));
  }

  private static void put(ByteBuffer out, List<SpentInput> inputs) {
    out.put((byte) inputs.size());
    for (SpentInput input : inputs) {
      out.put((byte) input.origin().code()).putLong(input.value().minor()).put(input.rho().bytes());
    }
  }

  private static List<SpentInput> inputs(ByteBuffer in) {
    List<SpentInput> inputs = new ArrayList<>();
    int count = Byte.toUnsignedInt(in.get());
    if (count > Memo.MAX_INPUTS) {
      throw new IllegalArgumentException("too many claimed coins");
    }
    for (int i = 0; i < count; i++) {
      inputs.add(
          new SpentInput(
              Origin.of(in.get()),
              new Amount(in.getLong()),
              FieldElement.of(take(in, FieldElement.BYTES))));
    }
    return inputs;
  }

  /** A zero in place of the number of lines is the padding of a memo without a list. */
  private static void put(ByteBuffer out, @Nullable BulkLines bulk) {
    if (bulk != null) {
      out.put((byte) bulk.numbers().size()).put(bulk.tag().value().bytes());
      bulk.numbers().forEach(number -> out.putShort(number.shortValue()));
    }
  }

  private static @Nullable BulkLines bulk(ByteBuffer in) {
    int count = in.hasRemaining() ? Byte.toUnsignedInt(in.get()) : 0;
    if (count == 0) {
      return null;
    }
    BulkTag tag = new BulkTag(Digest32.of(take(in, Digest32.BYTES)));
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(Short.toUnsignedInt(in.getShort()));
    }
    return new BulkLines(tag, numbers);
  }

  private static void put(ByteBuffer out, String text, Charset charset) {
    byte[] bytes = text.getBytes(charset);
    out.put((byte) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in, Charset charset) {
    return new String(take(in, Byte.toUnsignedInt(in.get())), charset);
  }

  private static byte[] take(ByteBuffer in, int length) {
    byte[] out = new byte[length];
    in.get(out);
    return out;
  }
}
