package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  private static final int PADDING = 16;
  private static final Mailbox ELSEWHERE = new Mailbox("post.example.org");

  /** Of version 1, from the days of another curve. */
  private static final String FIRST_VERSION =
      "sld1qy2re5fvq9s9kkdc8kr74fm7s8qrxnzz5sqkr2hm493vp0rxly9zqqfew89cufna5jvfclexqvv2ztdpjmz3v"
          + "246vvj7u6k4a9zfd0vrzjs2x042u274sjzj705a5au22zf5fpgj50q2wz";

  @Test
  @Spec("F-13")
  void roundTripsInBothCases() {
    for (Mailbox mailbox : List.of(Mailbox.NETWORK, ELSEWHERE, new Mailbox("a".repeat(63)))) {
      Address address = address(mailbox);
      String text = address.encode(Samples.NETWORK);
      assertThat(Address.decode(Samples.NETWORK, text)).isEqualTo(address);
      assertThat(Address.decode(Samples.NETWORK, text.toUpperCase(Locale.ROOT))).isEqualTo(address);
    }
    assertThat(address(Mailbox.NETWORK).encode(Samples.NETWORK)).startsWith("sld1").hasSize(167);
    assertThat(address(new Mailbox("a".repeat(63))).encode(Samples.NETWORK)).hasSize(268);
  }

  @Test
  void everySingleCharacterErrorIsDetected() {
    String text = address(ELSEWHERE).encode(Samples.NETWORK);
    for (int i = 4; i < text.length(); i++) {
      char other = text.charAt(i) == 'q' ? 'p' : 'q';
      String wrong = text.substring(0, i) + other + text.substring(i + 1);
      Rejected.malformed(() -> Address.decode(Samples.NETWORK, wrong));
    }
  }

  /**
   * Somebody who makes the checksum anew cannot change one character, or two, and keep the rest.
   */
  @Test
  @Spec("F-13")
  void anyOneOrTwoChangedCharactersAreRefusedAlsoWithAnotherChecksum() {
    byte[] payload = Bech32m.decode(address(Mailbox.NETWORK).encode(Samples.NETWORK)).toBytes();
    int symbols = (payload.length * 8 + 4) / 5;
    int refused = 0;
    for (int i = 0; i < symbols; i++) {
      for (int j = i; j < symbols; j++) {
        byte[] changed = payload.clone();
        flip(changed, i, i + j);
        if (j > i) {
          flip(changed, j, i + 7 * j);
        }
        String text = Bech32m.encode("sld", changed);
        Rejected.malformed(() -> Address.decode(Samples.NETWORK, text));
        refused++;
      }
    }
    assertThat(refused).isEqualTo(symbols * (symbols + 1) / 2);
  }

  /** Addresses that differ in one part, even by one bit, look different from end to end. */
  @Test
  @Spec("F-13")
  void everyPartChangesTheWholeText() {
    Address one = address(ELSEWHERE);
    byte[] key = one.encryptionKey().bytes();
    key[31] ^= 1;
    String text = one.encode(Samples.NETWORK);
    List<String> others =
        List.of(
            one.encode(new NetworkId("solidus-tesu")),
            new Address(Apk.of(flipped(one.apk().bytes())), one.encryptionKey(), ELSEWHERE)
                .encode(Samples.NETWORK),
            new Address(one.apk(), EncryptionKey.of(key), ELSEWHERE).encode(Samples.NETWORK),
            new Address(one.apk(), one.encryptionKey(), new Mailbox("post.example.orh"))
                .encode(Samples.NETWORK));
    for (String other : others) {
      assertThat(other).hasSameSizeAs(text);
      int same = 0;
      for (int i = 4; i < text.length(); i++) {
        same += text.charAt(i) == other.charAt(i) ? 1 : 0;
      }
      // one in 32 by chance
      assertThat(same).isLessThan(text.length() / 8);
    }
  }

  @Test
  void addressOfAnotherNetworkPrefixOrLengthIsRefused() {
    String text = address(ELSEWHERE).encode(new NetworkId("other-net"));
    Rejected.with(RejectionCode.WRONG_NETWORK, () -> Address.decode(Samples.NETWORK, text));
    byte[] payload = Bech32m.decode(text).toBytes();
    malformed("btc", payload);
    malformed("sld", Arrays.copyOf(payload, payload.length - 1));
    malformed("sld", Arrays.copyOf(payload, payload.length + 1));
    malformed("sld", Arrays.copyOf(payload, 97));
    malformed("sld", new byte[47]);
    malformed("sld", new byte[0]);
  }

  @Test
  @Spec("F-13")
  void versionOneIsRefused() {
    Rejected.with(
        RejectionCode.UNKNOWN_VERSION, () -> Address.decode(Samples.NETWORK, FIRST_VERSION));
    byte[] shorter = new byte[69];
    shorter[0] = 1;
    Rejected.with(
        RejectionCode.UNKNOWN_VERSION,
        () -> Address.decode(Samples.NETWORK, Bech32m.encode("sld", shorter)));
  }

  @Test
  @Spec("F-13")
  void everyPartIsVerifiedUnderTheJumble() {
    byte[] body = body(address(ELSEWHERE));
    assertThat(Address.decode(Samples.NETWORK, jumbled(body))).isEqualTo(address(ELSEWHERE));
    refused(RejectionCode.UNKNOWN_VERSION, body, 0, 1);
    refused(RejectionCode.UNKNOWN_VERSION, body, 0, 3);
    for (int i = 1; i <= 16; i++) {
      refused(RejectionCode.WRONG_NETWORK, body, i, body[i] ^ 1);
    }
    refused(RejectionCode.MALFORMED_REQUEST, body, 17, 0xff); // apk beyond the field
    refused(RejectionCode.MALFORMED_REQUEST, body, 80, 0x80); // encryption key not canonical
    refused(RejectionCode.MALFORMED_REQUEST, body, 81, 15); // length of the mailbox
    refused(RejectionCode.MALFORMED_REQUEST, body, 81, 17);
    refused(RejectionCode.MALFORMED_REQUEST, body, 82, 'P');
    refused(RejectionCode.MALFORMED_REQUEST, body, 82, 0xc3);
    for (int i = body.length - PADDING; i < body.length; i++) {
      refused(RejectionCode.MALFORMED_REQUEST, body, i, body[i] ^ 1);
    }
    byte[] longMailbox = Arrays.copyOf(Arrays.copyOf(body, 82), 82 + 64);
    longMailbox[81] = 64;
    Arrays.fill(longMailbox, 82, longMailbox.length, (byte) 'a');
    byte[] padded = Arrays.copyOf(longMailbox, longMailbox.length + PADDING);
    System.arraycopy(body, body.length - PADDING, padded, longMailbox.length, PADDING);
    Rejected.malformed(() -> Address.decode(Samples.NETWORK, jumbled(padded)));
  }

  @ParameterizedTest
  @Spec("F-14")
  @ValueSource(
      strings = {"a", "post.example.org", "xn--bcher-kva.example", "127.0.0.1", "a-b.c--d", "9"})
  void aMailboxIsTheNameOfAHost(String host) {
    Mailbox mailbox = new Mailbox(host);
    assertThat(mailbox.isForeign()).isTrue();
    assertThat(mailbox).hasToString(host);
  }

  @ParameterizedTest
  @Spec("F-14")
  @ValueSource(
      strings = {
        "Post.example.org",
        "bücher.example",
        "-a",
        "a-",
        "a..b",
        ".a",
        "a.",
        "a.-b",
        "a b",
        "a\n",
        "a:443",
        "a/b",
        "[::1]",
        "a_b",
        "аpple.com",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      })
  void otherTextsAreNoMailbox(String host) {
    Rejected.malformed(() -> new Mailbox(host));
  }

  @Test
  @Spec("F-14")
  void theEmptyNameIsTheNetworksMailbox() {
    assertThat(new Mailbox("")).isEqualTo(Mailbox.NETWORK);
    assertThat(Mailbox.NETWORK.isForeign()).isFalse();
    EncryptionKey key = address(ELSEWHERE).encryptionKey();
    assertThat(new Address(new Apk(FieldElement.ofLong(1)), key).mailbox())
        .isEqualTo(Mailbox.NETWORK);
  }

  /**
   * A payment to such an address could be made and never delivered. The JDK's own X25519 refuses
   * the same keys.
   */
  @Test
  @Spec("F-13")
  void encryptionKeysThatNobodyCanSealToAreRefused() throws Exception {
    BigInteger p = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    Set<BigInteger> small =
        Set.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            p.subtract(BigInteger.ONE),
            number("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
            number("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"));
    Set<BigInteger> refused = new HashSet<>(small);
    for (int i = 0; i < 19; i++) {
      refused.add(p.add(BigInteger.valueOf(i)));
    }
    refused.add(BigInteger.ONE.shiftLeft(255).add(BigInteger.valueOf(9)));
    for (BigInteger u : refused) {
      EncryptionKey key = EncryptionKey.of(littleEndian(u));
      Rejected.malformed(() -> new Address(address(ELSEWHERE).apk(), key));
    }
    KeyPair pair = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    for (BigInteger u : small) {
      PublicKey key =
          KeyFactory.getInstance("X25519")
              .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
      KeyAgreement agreement = KeyAgreement.getInstance("X25519");
      agreement.init(pair.getPrivate());
      assertThatThrownBy(() -> agreement.doPhase(key, true)).hasMessageContaining("small order");
    }
  }

  private static BigInteger number(String littleEndianHex) {
    return new BigInteger(1, reversed(HexFormat.of().parseHex(littleEndianHex)));
  }

  private static byte[] littleEndian(BigInteger value) {
    return reversed(Bytes.leftPadded(value, 32));
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] out = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      out[i] = bytes[bytes.length - 1 - i];
    }
    return out;
  }

  private static void refused(RejectionCode code, byte[] body, int at, int value) {
    byte[] changed = body.clone();
    changed[at] = (byte) value;
    Rejected.with(code, () -> Address.decode(Samples.NETWORK, jumbled(changed)));
  }

  private static void malformed(String hrp, byte[] payload) {
    Rejected.malformed(() -> Address.decode(Samples.NETWORK, Bech32m.encode(hrp, payload)));
  }

  private static byte[] body(Address address) {
    return F4Jumble.unjumble(Bech32m.decode(address.encode(Samples.NETWORK)).toBytes());
  }

  private static String jumbled(byte[] body) {
    return Bech32m.encode("sld", F4Jumble.jumble(body));
  }

  /**
   * Changes one symbol of the data part: some of its first four bits. The fifth bit of the last
   * symbol is no part of the payload.
   */
  private static void flip(byte[] payload, int symbol, int choice) {
    int difference = 1 + choice % 15;
    for (int bit = 0; bit < 4; bit++) {
      if ((difference >> bit & 1) == 1) {
        int at = 5 * symbol + bit;
        payload[at / 8] ^= (byte) (0x80 >> at % 8);
      }
    }
  }

  private static byte[] flipped(byte[] bytes) {
    bytes[bytes.length - 1] ^= 1;
    return bytes;
  }

  private static Address address(Mailbox mailbox) {
    byte[] key = new byte[EncryptionKey.BYTES];
    Arrays.fill(key, (byte) 9);
    return new Address(new Apk(new Samples(5).field()), new EncryptionKey(key), mailbox);
  }
}
