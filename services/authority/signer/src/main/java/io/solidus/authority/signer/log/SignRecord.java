package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The record of one signature. It holds no time, amount or identity.
 *
 * @param serials every serial number that the core spends. A registration spends none and has those
 *     of its person and its address ({@code RegistrationSerials}), which no shard holds; records of
 *     earlier versions have none.
 * @param holders for each serial number the core whose row the signature rests on: a recover's may
 *     be of cores below it, any other's are its own
 * @param points digest of the signature's points
 */
public record SignRecord(
    Family family,
    TxCore core,
    int shareEpoch,
    List<SerialNumber> serials,
    List<TxCore> holders,
    Digest32 points) {

  static final int MAX_SERIALS = ResolvedRecover.MAX_SERIALS;
  private static final int FIXED_BYTES = 1 + 32 + 4 + 1 + 32;
  private static final int SERIAL_BYTES = 32;
  private static final int CORE_BYTES = 32;
  static final int MAX_BYTES = FIXED_BYTES + MAX_SERIALS * (SERIAL_BYTES + CORE_BYTES);

  /** The most bytes of a record that is not a recover's. */
  static final int USUAL_BYTES = FIXED_BYTES + Family.MAX_SERIALS * SERIAL_BYTES;

  public SignRecord {
    serials = List.copyOf(serials);
    holders = List.copyOf(holders);
    if (serials.size() > MAX_SERIALS || holders.size() != serials.size()) {
      throw new IllegalArgumentException(
          "a record holds at most " + MAX_SERIALS + " serial numbers, each with its holder");
    }
    if (family != Family.RECOVER && !holders.stream().allMatch(core::equals)) {
      throw new IllegalArgumentException("only a recover rests on rows of other cores");
    }
  }

  /** The record of a core that holds its serial numbers itself. */
  public SignRecord(
      Family family, TxCore core, int shareEpoch, List<SerialNumber> serials, Digest32 points) {
    this(family, core, shareEpoch, serials, Collections.nCopies(serials.size(), core), points);
  }

  /**
   * Encodes the record: family u8 | core 32 | share epoch u32 | count u8 | serials 32 each, in a
   * recover's record each with its holder 32 behind it | digest of the points 32.
   */
  byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(bytes());
    out.put((byte) family.code());
    out.put(core.bytes());
    out.putInt(shareEpoch);
    out.put((byte) serials.size());
    for (int i = 0; i < serials.size(); i++) {
      out.put(serials.get(i).bytes());
      if (family == Family.RECOVER) {
        out.put(holders.get(i).bytes());
      }
    }
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
    TxCore core = TxCore.of(take(in, CORE_BYTES));
    int epoch = in.getInt();
    int count = Byte.toUnsignedInt(in.get());
    if (count > MAX_SERIALS || bytes.length != FIXED_BYTES + count * bytesEach(family)) {
      throw new IllegalArgumentException("record of the wrong length");
    }
    List<SerialNumber> serials = new ArrayList<>(count);
    List<TxCore> holders = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      serials.add(SerialNumber.of(take(in, SERIAL_BYTES)));
      holders.add(family == Family.RECOVER ? TxCore.of(take(in, CORE_BYTES)) : core);
    }
    return new SignRecord(family, core, epoch, serials, holders, new Digest32(take(in, 32)));
  }

  /** The length of the encoded record. */
  int bytes() {
    return FIXED_BYTES + serials.size() * bytesEach(family);
  }

  private static int bytesEach(Family family) {
    return family == Family.RECOVER ? SERIAL_BYTES + CORE_BYTES : SERIAL_BYTES;
  }

  private static byte[] take(ByteBuffer in, int n) {
    byte[] bytes = new byte[n];
    in.get(bytes);
    return bytes;
  }
}
