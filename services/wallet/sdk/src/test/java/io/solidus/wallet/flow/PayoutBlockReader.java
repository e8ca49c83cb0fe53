package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.SealedMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Opens payout blocks as the issuer does. */
final class PayoutBlockReader {
  private PayoutBlockReader() {}

  static String open(HpkePrivateKey issuer, byte[] block) {
    SealedMessage sealed =
        new SealedMessage(Arrays.copyOf(block, 32), Arrays.copyOfRange(block, 32, block.length));
    byte[] plain =
        Hpke.open(
            issuer,
            "solidus/payout/v1".getBytes(StandardCharsets.US_ASCII),
            TestCommittee.NETWORK.digest().bytes(),
            sealed);
    return new String(plain, StandardCharsets.UTF_8);
  }
}
