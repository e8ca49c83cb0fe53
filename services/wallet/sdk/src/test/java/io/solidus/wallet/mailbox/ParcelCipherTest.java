package io.solidus.wallet.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Samples;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.HpkeSender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParcelCipherTest {
  private static final Parcel.Payment PAYMENT =
      new Parcel.Payment(
          Origin.OWN,
          new Amount(1_250),
          Samples.field(5),
          Samples.signature(3),
          1_700_000_000_000L,
          "Rechnung 17 – danke");

  private final ParcelCipher cipher = new ParcelCipher(Samples.NETWORK);
  private final HpkePrivateKey owner = HpkePrivateKey.generate(new SecureRandom());
  private final HpkePrivateKey stranger = HpkePrivateKey.generate(new SecureRandom());

  @AfterEach
  void close() {
    owner.close();
    stranger.close();
  }

  /** Its length, key and tag are as those of others, and no wallet opens it. */
  @Test
  @Spec("W-53")
  void aBlobForNobodyLooksLikeOthers() {
    SecureRandom random = new SecureRandom();
    Set<String> tags = new HashSet<>();
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      for (byte[] blob :
          List.of(cipher.sealToNobody(random), cipher.seal(owner.publicKey(), PAYMENT))) {
        assertThat(blob).hasSize(ParcelCipher.BLOB_BYTES);
        assertThat(blob[ParcelCipher.HEADER_BYTES - 1]).as("of an X25519 key").isNotNegative();
        tags.add(HexFormat.of().formatHex(blob, 0, 2));
        keys.add(HexFormat.of().formatHex(blob, 2, ParcelCipher.HEADER_BYTES));
      }
      assertThat(cipher.open(owner, cipher.sealToNobody(random))).isEmpty();
    }
    assertThat(tags).as("drawn anew for each").hasSizeGreaterThan(70);
    assertThat(keys).hasSize(80);
  }

  @Test
  @Spec("F-09")
  void opensEveryKindOfParcel() {
    List<Parcel> kinds =
        List.of(
            PAYMENT,
            new Parcel.Minted(new Amount(7), Samples.field(6), Samples.signature(4), 5),
            new Parcel.Registered(Samples.signature(5)),
            new Parcel.Registering(
                new RegistrationCase("0190f0a0-0000-7000-8000-000000000000", "t".repeat(43)),
                Digest32.sha256()),
            new Parcel.OwnCoin(
                Origin.OWN,
                new Amount(8),
                Samples.field(7),
                Samples.signature(6),
                9,
                Digest32.sha256()));
    assertThat(kinds)
        .allSatisfy(
            p -> assertThat(cipher.open(owner, cipher.seal(owner.publicKey(), p))).contains(p));
  }

  @Test
  @Spec("W-06")
  void allBlobsHaveOneSizeAndDiffer() {
    byte[] one = cipher.seal(owner.publicKey(), PAYMENT);
    byte[] two = cipher.seal(owner.publicKey(), new Parcel.Registered(Samples.signature(5)));
    assertThat(one).hasSize(ParcelCipher.BLOB_BYTES);
    assertThat(two).hasSize(ParcelCipher.BLOB_BYTES);
    assertThat(cipher.seal(owner.publicKey(), PAYMENT)).isNotEqualTo(one);
  }

  @Test
  void theHeaderAloneTellsTheAddresseeAndNobodyElse() {
    byte[] header =
        Arrays.copyOf(cipher.seal(owner.publicKey(), PAYMENT), ParcelCipher.HEADER_BYTES);
    assertThat(cipher.detects(owner, header)).isTrue();
    byte[] otherTag = header.clone();
    otherTag[0] ^= 1;
    assertThat(cipher.detects(owner, otherTag)).isFalse();
    for (int length : new int[] {0, header.length - 1, header.length + 1}) {
      assertThat(cipher.detects(owner, Arrays.copyOf(header, length))).isFalse();
    }
    // a key of small order opens nothing and throws nothing
    assertThat(cipher.detects(owner, new byte[ParcelCipher.HEADER_BYTES])).isFalse();
    List<byte[]> others =
        Stream.generate(() -> cipher.seal(owner.publicKey(), PAYMENT)).limit(8).toList();
    assertThat(others)
        .as("by chance 8 of them match with a probability below 2^-100")
        .anyMatch(
            blob -> !cipher.detects(stranger, Arrays.copyOf(blob, ParcelCipher.HEADER_BYTES)));
  }

  @Test
  @Spec("F-08")
  void onlyTheAddresseeOpensIt() {
    byte[] blob = cipher.seal(owner.publicKey(), PAYMENT);
    assertThat(cipher.open(stranger, blob)).isEmpty();
    assertThat(new ParcelCipher(new NetworkId("solidus-else")).open(owner, blob)).isEmpty();
  }

  @Test
  void ignoresDamagedAndArbitraryBlobs() {
    byte[] blob = cipher.seal(owner.publicKey(), PAYMENT);
    for (int at : new int[] {0, 1, 2, 33, 34, 600, 1199}) {
      byte[] damaged = blob.clone();
      damaged[at] ^= 1;
      assertThat(cipher.open(owner, damaged)).isEmpty();
    }
    assertThat(cipher.open(owner, new byte[ParcelCipher.BLOB_BYTES])).isEmpty();
    assertThat(cipher.open(owner, new byte[3])).isEmpty();
  }

  @Test
  void ignoresSealedBytesThatAreNotAParcel() {
    assertThat(cipher.open(owner, sealed(new byte[1150]))).isEmpty();
    byte[] hostile = new byte[1150];
    hostile[0] = 2;
    hostile[1] = 1;
    hostile[3] = (byte) 0x80; // a negative value
    assertThat(cipher.open(owner, sealed(hostile))).isEmpty();
    hostile[2] = 3; // no origin
    hostile[3] = 0;
    assertThat(cipher.open(owner, sealed(hostile))).isEmpty();
  }

  @Test
  @Spec("F-09")
  void removesControlCharactersFromThePayersText() {
    Parcel.Payment hostile =
        new Parcel.Payment(
            PAYMENT.origin(),
            PAYMENT.value(),
            PAYMENT.rho(),
            PAYMENT.signature(),
            0,
            "a\u001b[2Jb\u202ec\nd");
    Parcel opened = cipher.open(owner, cipher.seal(owner.publicKey(), hostile)).orElseThrow();
    assertThat(((Parcel.Payment) opened).reference()).isEqualTo("a[2Jbcd");
  }

  private byte[] sealed(byte[] plain) {
    HpkeSender sender =
        Hpke.sender(owner.publicKey(), "solidus/mailbox/v1".getBytes(StandardCharsets.US_ASCII));
    return ByteBuffer.allocate(ParcelCipher.BLOB_BYTES)
        .put(sender.export("solidus/mailbox-detection/v1".getBytes(StandardCharsets.US_ASCII), 2))
        .put(sender.encapsulatedKey())
        .put(sender.seal(Samples.NETWORK.digest().bytes(), plain))
        .array();
  }
}
