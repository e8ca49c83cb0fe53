package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The hash chain of the sign-log: head_0 binds network and authority; head_n = SHA-256(label ||
 * head_{n-1} || record_n).
 */
final class HashChain {

  private static final byte[] GENESIS = label("solidus/sign-log-genesis/v1");
  private static final byte[] STEP = label("solidus/sign-log/v1");

  private HashChain() {}

  static LogPosition genesis(NetworkId network, int authority) {
    byte[] index = ByteBuffer.allocate(4).putInt(authority).array();
    return new LogPosition(0, Digest32.sha256(GENESIS, network.digest().bytes(), index));
  }

  static LogPosition next(LogPosition at, byte[] record) {
    return new LogPosition(at.sequence() + 1, Digest32.sha256(STEP, at.head().bytes(), record));
  }

  private static byte[] label(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
