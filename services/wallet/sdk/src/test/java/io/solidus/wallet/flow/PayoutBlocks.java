package io.solidus.wallet.flow;

import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.SealedMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What the payout desk reads. */
final class PayoutBlocks {
  private PayoutBlocks() {}

  static String open(HpkePrivateKey desk, byte[] block) {
    SealedMessage sealed =
        new SealedMessage(Arrays.copyOf(block, 32), Arrays.copyOfRange(block, 32, block.length));
    byte[] plain =
        Hpke.open(
            desk,
            "solidus/payout/v1".getBytes(StandardCharsets.US_ASCII),
            TestKeys.NETWORK.digest().bytes(),
            sealed);
    return new String(plain, StandardCharsets.UTF_8);
  }
}
