package io.solidus.wallet.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Origin;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.HpkeSender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mailbox parcels: every client that has an address can send any bytes to it, so no parcel may stop
 * the reader.
 */
class ParcelFuzzTest {
  private static final HpkePrivateKey OWNER = HpkePrivateKey.generate(new SecureRandom());
  private static final ParcelCipher CIPHER = new ParcelCipher(Seeds.NETWORK);
  private static final int PLAIN_BYTES = 1150;
  private static final Parcel PAYMENT =
      new Parcel.Payment(
          Origin.OWN, new Amount(5), Seeds.field(6), Seeds.signature(7), 8, "thanks");

  static Stream<byte[]> plain() {
    return Stream.of(
        ParcelCodec.encode(PAYMENT, PLAIN_BYTES),
        ParcelCodec.encode(new Parcel.Registered(Seeds.signature(1)), PLAIN_BYTES),
        ParcelCodec.encode(
            new Parcel.Registering(new RegistrationCase("case", "token"), Seeds.digest(2)),
            PLAIN_BYTES),
        new byte[] {2, 1},
        new byte[] {2, 4, -1});
  }

  /** A well sealed plaintext gives a parcel or empty, never an exception. */
  @MethodSource("plain")
  @FuzzTest
  void opensParcelsOfAnyContent(byte @NotNull [] plain) {
    byte[] padded = Arrays.copyOf(plain, PLAIN_BYTES);
    Optional<Parcel> parcel =
        Hostile.decoded(PLAIN_BYTES, Refusal.class, () -> CIPHER.open(OWNER, sealed(padded)))
            .orElseThrow();
    parcel.ifPresent(ParcelFuzzTest::harmless);
  }

  private static void harmless(Parcel parcel) {
    if (parcel instanceof Parcel.Payment payment) {
      assertThat(payment.reference().codePoints())
          .noneMatch(Character::isISOControl)
          .noneMatch(c -> Character.getType(c) == Character.FORMAT);
      assertThat(payment.value().minor()).isNotNegative();
    }
  }

  static Stream<byte[]> blobs() {
    byte[] good = CIPHER.seal(OWNER.publicKey(), PAYMENT);
    return Stream.of(good, new byte[1200], new byte[0], Arrays.copyOf(good, 1199));
  }

  @MethodSource("blobs")
  @FuzzTest
  void blobsOfAnyBytesAreHarmless(byte @NotNull [] blob) {
    Hostile.decoded(blob.length, Refusal.class, () -> CIPHER.open(OWNER, blob))
        .orElseThrow()
        .ifPresent(ParcelFuzzTest::harmless);
    byte[] full = Arrays.copyOf(blob, ParcelCipher.BLOB_BYTES);
    Hostile.decoded(full.length, Refusal.class, () -> CIPHER.open(OWNER, full))
        .orElseThrow()
        .ifPresent(ParcelFuzzTest::harmless);
  }

  /** The refusal type for calls that document no exception. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private static byte[] sealed(byte[] plain) {
    HpkeSender sender =
        io.solidus.wire.hpke.Hpke.sender(
            OWNER.publicKey(), "solidus/mailbox/v1".getBytes(StandardCharsets.US_ASCII));
    return ByteBuffer.allocate(ParcelCipher.BLOB_BYTES)
        .put(sender.export("solidus/mailbox-detection/v1".getBytes(StandardCharsets.US_ASCII), 2))
        .put(sender.encapsulatedKey())
        .put(sender.seal(Seeds.NETWORK.digest().bytes(), plain))
        .array();
  }
}
