package io.solidus.wallet.transfer;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.SpentInput;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes memos, big endian, padded with zeros to a fixed length. */
@Spec("F-05")
final class MemoCodec {
  private static final int VERSION = 2;

  private MemoCodec() {}

  static byte[] encode(Memo memo, int length) {
    byte[] reference = memo.reference().getBytes(StandardCharsets.UTF_8);
    byte[] host = memo.recipient().mailbox().host().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer out =
        ByteBuffer.allocate(length)
            .put((byte) VERSION)
            .putShort((short) memo.counter())
            .putLong(memo.atMillis())
            .putLong(memo.paid().minor())
            .put(memo.recipient().apk().bytes())
            .put(memo.recipient().encryptionKey().bytes())
            .put((byte) host.length)
            .put(host)
            .putLong(memo.withdrawn().minor())
            .putInt(memo.unfinished())
            .put((byte) memo.inputs().size());
    for (SpentInput input : memo.inputs()) {
      out.put((byte) input.origin().code()).putLong(input.value().minor()).put(input.rho().bytes());
    }
    out.put((byte) reference.length).put(reference);
    return out.array();
  }

  /** Decodes bytes that the wallet's own key has authenticated; must not be used on other bytes. */
  static Memo decode(byte[] plain) {
    ByteBuffer in = ByteBuffer.wrap(plain);
    if (in.get() != VERSION) {
      throw new IllegalArgumentException("unknown version of a memo");
    }
    int counter = Short.toUnsignedInt(in.getShort());
    long atMillis = in.getLong();
    Amount paid = new Amount(in.getLong());
    Address recipient =
        new Address(
            new Apk(FieldElement.of(take(in, FieldElement.BYTES))),
            new EncryptionKey(take(in, EncryptionKey.BYTES)),
            new Mailbox(text(in, StandardCharsets.US_ASCII)));
    Amount withdrawn = new Amount(in.getLong());
    int unfinished = in.getInt();
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
    String reference = text(in, StandardCharsets.UTF_8);
    return new Memo(counter, atMillis, paid, recipient, withdrawn, inputs, unfinished, reference);
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
