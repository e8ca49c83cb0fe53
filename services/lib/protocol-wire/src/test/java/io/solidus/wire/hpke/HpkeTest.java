package io.solidus.wire.hpke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.solidus.protocol.EncryptionKey;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class HpkeTest {
  private static final byte[] INFO = bytes("info");
  private static final byte[] AAD = bytes("aad");
  private static final byte[] PLAINTEXT = bytes("a coin and its signature");

  private final SecureRandom random = new SecureRandom();
  private final HpkePrivateKey key = HpkePrivateKey.generate(random);

  @Test
  void opensWhatWasSealed() {
    SealedMessage message = Hpke.seal(key.publicKey(), INFO, AAD, PLAINTEXT);
    assertThat(message.encapsulatedKey()).hasSize(Hpke.KEY_BYTES);
    assertThat(message.ciphertext()).hasSize(PLAINTEXT.length + Hpke.TAG_BYTES);
    assertThat(Hpke.open(key, INFO, AAD, message)).isEqualTo(PLAINTEXT);
  }

  @Test
  void sealsTheSameTextDifferentlyEachTime() {
    assertThat(Hpke.seal(key.publicKey(), INFO, AAD, PLAINTEXT))
        .isNotEqualTo(Hpke.seal(key.publicKey(), INFO, AAD, PLAINTEXT));
  }

  @Test
  void refusesAnotherKeyPurposeOrAssociatedData() {
    SealedMessage message = Hpke.seal(key.publicKey(), INFO, AAD, PLAINTEXT);
    HpkePrivateKey other = HpkePrivateKey.generate(random);
    assertRefused(() -> Hpke.open(other, INFO, AAD, message));
    assertRefused(() -> Hpke.open(key, bytes("other"), AAD, message));
    assertRefused(() -> Hpke.open(key, INFO, bytes("other"), message));
  }

  @Test
  void refusesEveryChangedByteAndEveryTruncation() {
    SealedMessage message = Hpke.seal(key.publicKey(), INFO, AAD, PLAINTEXT);
    for (int at = 0; at < message.ciphertext().length; at++) {
      byte[] changed = message.ciphertext();
      changed[at] ^= 1;
      byte[] cut = java.util.Arrays.copyOf(message.ciphertext(), at);
      assertRefused(
          () -> Hpke.open(key, INFO, AAD, new SealedMessage(message.encapsulatedKey(), changed)));
      assertRefused(
          () -> Hpke.open(key, INFO, AAD, new SealedMessage(message.encapsulatedKey(), cut)));
    }
  }

  @Test
  void refusesKeysOfSmallOrder() {
    byte[] zero = new byte[Hpke.KEY_BYTES];
    byte[] one = new byte[Hpke.KEY_BYTES];
    one[0] = 1;
    for (byte[] point : new byte[][] {zero, one}) {
      assertRefused(() -> Hpke.seal(EncryptionKey.of(point), INFO, AAD, PLAINTEXT));
      assertRefused(() -> Hpke.receiver(key, point, INFO));
    }
  }

  @Test
  void refusesAnEncapsulatedKeyOfAnotherLength() {
    assertRefused(() -> Hpke.receiver(key, new byte[31], INFO));
    assertRefused(() -> Hpke.receiver(key, new byte[33], INFO));
    assertRefused(() -> HpkePrivateKey.of(new byte[31]));
  }

  @Test
  void aClosedKeyOpensNothing() {
    SealedMessage message = Hpke.seal(key.publicKey(), INFO, AAD, PLAINTEXT);
    key.close();
    assertThatIllegalStateException().isThrownBy(key::bytes);
    assertRefused(() -> Hpke.open(key, INFO, AAD, message));
  }

  @Test
  void toStringHidesTheSecret() {
    assertThat(key.toString()).isEqualTo("HpkePrivateKey[redacted]");
  }

  private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatExceptionOfType(HpkeException.class).isThrownBy(call);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
