package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The record of one signature. It holds no time, amount or identity.
 *
 * @param serials every serial number that the core spends. A registration spends none and has those
 *     of its person and its address ({@code RegistrationSerials}), which no shard holds; records of
 *     earlier versions have none.
 * @param points digest of the signature's points
 */
public record SignRecord(
    Family family, TxCore core, int shareEpoch, List<SerialNumber> serials, Digest32 points) {

  static final int MAX_SERIALS = 16;
  private static final int FIXED_BYTES = 1 + 32 + 4 + 1 + 32;
  private static final int SERIAL_BYTES = 32;
  static final int MAX_BYTES = FIXED_BYTES + MAX_SERIALS * SERIAL_BYTES;

  public SignRecord {
    serials = List.copyOf(serials);
    if (serials.size() > MAX_SERIALS) {
      throw new IllegalArgumentException(
          "a record holds at most " + MAX_SERIALS + " serial numbers");
    }
  }

  /**
   * Encodes the record: family u8 | core 32 | share epoch u32 | count u8 | serials 32 each | digest
   * of the points 32.
   */
  byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + serials.size() * SERIAL_BYTES);
    out.put((byte) family.code());
    out.put(core.bytes());
    out.putInt(shareEpoch);
    out.put((byte) serials.size());
    serials.forEach(s -> out.put(s.bytes()));
    out.put(points.bytes());
    return out.array();
  }

  /** Decodes a record; extra or missing bytes are an error. */
  static SignRecord fromBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < FIXED_BYTES) {
      throw new IllegalArgumentException("record too short");
    }
    Family family = Family.of(in.get());
    TxCore core = TxCore.of(take(in, 32));
    int epoch = in.getInt();
    int count = Byte.toUnsignedInt(in.get());
    if (count > MAX_SERIALS || bytes.length != FIXED_BYTES + count * SERIAL_BYTES) {
      throw new IllegalArgumentException("record of the wrong length");
    }
    List<SerialNumber> serials = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      serials.add(SerialNumber.of(take(in, SERIAL_BYTES)));
    }
    return new SignRecord(family, core, epoch, serials, new Digest32(take(in, 32)));
  }

  private static byte[] take(ByteBuffer in, int n) {
    byte[] bytes = new byte[n];
    in.get(bytes);
    return bytes;
  }
}
