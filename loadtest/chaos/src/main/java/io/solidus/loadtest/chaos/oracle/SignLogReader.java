package io.solidus.loadtest.chaos.oracle;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An independent reader of the sign-log. A frame has a length (u16), a record and a chain value (32
 * bytes). A record has a family (u8), a core (32), a share epoch (u32), a count (u8), serial
 * numbers (32 each) and the digest of the points (32).
 */
final class SignLogReader {

  private static final byte[] GENESIS =
      "solidus/sign-log-genesis/v1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STEP = "solidus/sign-log/v1".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGEST = 32;
  private static final int SERIAL = 32;

  /**
   * The content of a log.
   *
   * @param whole whether the hash chain holds to the last byte
   */
  record Log(List<AuthorityState.LogEntry> entries, boolean whole) {}

  private SignLogReader() {}

  static Log read(Path file, NetworkId network, int authority) throws IOException {
    Digest32 genesis =
        Digest32.sha256(
            GENESIS, network.digest().bytes(), ByteBuffer.allocate(4).putInt(authority).array());
    return parse(Files.exists(file) ? Files.readAllBytes(file) : new byte[0], genesis);
  }

  static Log parse(byte[] bytes, Digest32 genesis) {
    List<AuthorityState.LogEntry> entries = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    Digest32 head = genesis;
    while (in.remaining() >= Short.BYTES) {
      int length = Short.toUnsignedInt(in.getShort());
      if (in.remaining() < length + DIGEST) {
        return new Log(entries, false);
      }
      byte[] record = take(in, length);
      head = Digest32.sha256(STEP, head.bytes(), record);
      if (!Arrays.equals(head.bytes(), take(in, DIGEST))) {
        return new Log(entries, false);
      }
      entries.add(entry(ByteBuffer.wrap(record)));
    }
    return new Log(entries, !in.hasRemaining());
  }

  private static AuthorityState.LogEntry entry(ByteBuffer in) {
    in.get();
    TxCore core = TxCore.of(take(in, DIGEST));
    in.getInt();
    int count = Byte.toUnsignedInt(in.get());
    List<SerialNumber> serials = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      serials.add(SerialNumber.of(take(in, SERIAL)));
    }
    return new AuthorityState.LogEntry(core, serials, new Digest32(take(in, DIGEST)));
  }

  private static byte[] take(ByteBuffer in, int count) {
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }
}
