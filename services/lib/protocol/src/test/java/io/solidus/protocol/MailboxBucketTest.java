package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MailboxBucketTest {
  private static final Apk APK = new Apk(new Samples(5).field());

  @Test
  @Spec("F-48")
  void theBucketIsTheFirstBitsOfADigestOfNetworkAndAddress() {
    byte[] digest =
        Digest32.sha256(
                "solidus/mailbox-bucket/v1".getBytes(StandardCharsets.US_ASCII),
                Samples.NETWORK.digest().bytes(),
                APK.bytes())
            .bytes();
    int first = Byte.toUnsignedInt(digest[0]);
    assertThat(MailboxBucket.of(Samples.NETWORK, APK, 6).number()).isEqualTo(64 + (first >> 2));
    assertThat(MailboxBucket.of(Samples.NETWORK, APK, 1).number()).isEqualTo(2 + (first >> 7));
    assertThat(MailboxBucket.of(Samples.NETWORK, APK, 0)).isEqualTo(MailboxBucket.WHOLE);
    assertThat(MailboxBucket.of(new NetworkId("another"), APK, 6))
        .isNotEqualTo(MailboxBucket.of(Samples.NETWORK, APK, 6));
  }

  /** A poster and a reader may know another k: the message is found nevertheless. */
  @Test
  @Spec("F-48")
  void aReaderFindsWhatWasPostedToItsAddressWithAnyNumberOfBits() {
    for (int reader = 0; reader <= MailboxBucket.MAX_BITS; reader++) {
      for (int poster = 0; poster <= MailboxBucket.MAX_BITS; poster++) {
        assertThat(bucket(reader).reads(bucket(poster))).isTrue();
      }
    }
  }

  @Test
  @Spec("F-48")
  void aReaderGetsTheNodesAboveAndBelowItsOwn() {
    assertThat(new MailboxBucket(127).read()).containsExactly(1, 3, 7, 15, 31, 63, 127);
    assertThat(new MailboxBucket(32).read()).containsExactly(1, 2, 4, 8, 16, 32, 64, 65);
    assertThat(MailboxBucket.WHOLE.read())
        .isEqualTo(IntStream.rangeClosed(1, MailboxBucket.MAX).toArray());
    assertThat(new MailboxBucket(64).reads(new MailboxBucket(65))).isFalse();
    assertThat(new MailboxBucket(2).reads(new MailboxBucket(3))).isFalse();
    assertThat(new MailboxBucket(2).reads(new MailboxBucket(96))).isFalse();
  }

  @Test
  void otherNumbersAreRefused() {
    Rejected.malformed(() -> new MailboxBucket(0));
    Rejected.malformed(() -> new MailboxBucket(128));
    Rejected.malformed(() -> MailboxBucket.of(Samples.NETWORK, APK, 7));
    Rejected.malformed(() -> MailboxBucket.of(Samples.NETWORK, APK, -1));
  }

  private static MailboxBucket bucket(int bits) {
    return MailboxBucket.of(Samples.NETWORK, APK, bits);
  }
}
