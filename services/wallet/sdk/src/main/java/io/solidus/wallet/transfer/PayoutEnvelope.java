package io.solidus.wallet.transfer;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.SealedMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.json.JsonMapper;

/**
 * Seals payout blocks: {@code encapsulated key 32 | HPKE ciphertext 480}. The instruction is JSON
 * padded with zeros, so all blocks look alike. It is encrypted and not hashed, because account
 * numbers could be guessed from a hash.
 */
@Spec("F-07")
public final class PayoutEnvelope {
  private static final byte[] INFO = "solidus/payout/v1".getBytes(StandardCharsets.US_ASCII);
  private static final int PLAIN_BYTES = Attachments.PAYOUT_BYTES - Hpke.KEY_BYTES - Hpke.TAG_BYTES;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private PayoutEnvelope() {}

  /**
   * The payout block of {@link Attachments#PAYOUT_BYTES} bytes.
   *
   * @param issuer the issuer's key
   * @throws ProtocolException malformed-request when the instruction is too long for the block
   */
  public static byte[] seal(EncryptionKey issuer, NetworkId network, PayoutInstruction payout) {
    byte[] json = JSON.writeValueAsBytes(payout);
    if (json.length > PLAIN_BYTES) {
      throw ProtocolException.malformed("the payout instruction is too long");
    }
    byte[] plain = Arrays.copyOf(json, PLAIN_BYTES);
    try {
      SealedMessage sealed = Hpke.seal(issuer, INFO, network.digest().bytes(), plain);
      return ByteBuffer.allocate(Attachments.PAYOUT_BYTES)
          .put(sealed.encapsulatedKey())
          .put(sealed.ciphertext())
          .array();
    } finally {
      Arrays.fill(plain, (byte) 0);
      Arrays.fill(json, (byte) 0);
    }
  }
}
