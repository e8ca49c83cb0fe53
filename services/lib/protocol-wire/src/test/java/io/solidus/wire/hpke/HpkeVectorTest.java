package io.solidus.wire.hpke;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.EncryptionKey;
import java.util.HexFormat;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The RFC 9180 vector of this suite in base mode (KEM 0x0020, KDF 0x0001, AEAD 0x0002). SHAKE128 of
 * the empty string gives the inputs, a length byte before each. SHAKE128 of all outputs, 16 bytes,
 * is the expected value: one line for a thousand known answers.
 */
class HpkeVectorTest {
  private static final int ROUNDS = 1000;
  private static final byte[] INFO = hex("4f6465206f6e2061204772656369616e2055726e");
  private static final byte[] IKM_E =
      hex("2cd7c601cefb3d42a62b04b7a9041494c06c7843818e0ce28a8f704ae7ab20f9");
  private static final byte[] SK_R =
      hex("497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d");
  private static final String PK_R =
      "430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c";
  private static final String ENC =
      "6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256";

  private final SHAKEDigest source = new SHAKEDigest(128);
  private final SHAKEDigest sink = new SHAKEDigest(128);
  private HpkeSender sender;
  private HpkeReceiver receiver;

  @BeforeEach
  void setUp() {
    HpkePrivateKey key = HpkePrivateKey.of(SK_R);
    AsymmetricCipherKeyPair ephemeral = Hpke.suite(Hpke.Aead.AES_256_GCM).deriveKeyPair(IKM_E);
    sender = Hpke.sender(key.publicKey(), INFO, Hpke.Aead.AES_256_GCM, ephemeral);
    receiver = Hpke.receiver(key, sender.encapsulatedKey(), INFO);
  }

  @Test
  void derivesTheKnownKeys() {
    assertThat(HpkePrivateKey.of(SK_R).publicKey()).isEqualTo(EncryptionKey.fromHex(PK_R));
    assertThat(sender.encapsulatedKey()).isEqualTo(hex(ENC));
    byte[] ephemeral =
        ((X25519PublicKeyParameters)
                Hpke.suite(Hpke.Aead.AES_256_GCM).deriveKeyPair(IKM_E).getPublic())
            .getEncoded();
    assertThat(ephemeral).isEqualTo(hex(ENC));
  }

  @Test
  void sealsAndOpensTheKnownMessages() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] aad = draw();
      byte[] plaintext = draw();
      byte[] ciphertext = sender.seal(aad, plaintext);
      sink.update(ciphertext, 0, ciphertext.length);
      assertThat(receiver.open(aad, ciphertext)).isEqualTo(plaintext);
    }
    assertThat(gathered()).isEqualTo(hex("1702e73e1e71705faa8241022af1deea"));
  }

  @Test
  void exportsTheKnownSecrets() {
    for (int length = 0; length < ROUNDS; length++) {
      byte[] label = draw();
      byte[] secret = sender.export(label, length);
      sink.update(secret, 0, secret.length);
      assertThat(receiver.export(label, length)).isEqualTo(secret);
    }
    assertThat(gathered()).isEqualTo(hex("5cb678bf1c52afbd9afb58b8f7c1ced3"));
  }

  private byte[] draw() {
    byte[] length = new byte[1];
    source.doOutput(length, 0, 1);
    byte[] input = new byte[Byte.toUnsignedInt(length[0])];
    source.doOutput(input, 0, input.length);
    return input;
  }

  private byte[] gathered() {
    byte[] out = new byte[16];
    sink.doFinal(out, 0, out.length);
    return out;
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
