package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Period;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.RecoverMemo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes the memos of recovers, big endian, padded with zeros to a fixed length. */
@Spec("F-35")
final class RecoverMemoCodec {
  private static final int VERSION = 1;

  private RecoverMemoCodec() {}

  static byte[] encode(RecoverMemo memo, int length) {
    ByteBuffer out =
        ByteBuffer.allocate(length)
            .put((byte) VERSION)
            .putLong(memo.atMillis())
            .putInt(memo.period().yyyymm())
            .putLong(memo.sent().minor())
            .putInt(memo.count())
            .putLong(memo.held().minor())
            .put(memo.com().bytes())
            .putLong(memo.returned().minor())
            .putLong(memo.outflow().minor())
            .putLong(memo.budget().minor())
            .put(memo.first().bytes())
            .put(memo.second().bytes())
            .putInt(memo.unfinished())
            .put((byte) memo.claimed().size());
    memo.claimed().forEach(rho -> out.put(rho.bytes()));
    return out.array();
  }

  /** Decodes bytes that the wallet's own key has authenticated; must not be used on other bytes. */
  static RecoverMemo decode(byte[] plain) {
    ByteBuffer in = ByteBuffer.wrap(plain);
    if (in.get() != VERSION) {
      throw new IllegalArgumentException("unknown version of a recover's memo");
    }
    return new RecoverMemo(
        in.getLong(),
        new Period(in.getInt()),
        new Amount(in.getLong()),
        in.getInt(),
        new Amount(in.getLong()),
        field(in),
        new Amount(in.getLong()),
        new Amount(in.getLong()),
        new Amount(in.getLong()),
        field(in),
        field(in),
        in.getInt(),
        fields(in, Byte.toUnsignedInt(in.get())));
  }

  private static List<FieldElement> fields(ByteBuffer in, int count) {
    List<FieldElement> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(field(in));
    }
    return fields;
  }

  private static FieldElement field(ByteBuffer in) {
    byte[] bytes = new byte[FieldElement.BYTES];
    in.get(bytes);
    return FieldElement.of(bytes);
  }
}
