package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ed25519 (RFC 8032, section 7.1), signed notes (C2SP) and the texts signed with them. */
class NotesTest {
  private static final String TEXT =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  private static final String LINE =
      "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
  private final Samples samples = new Samples(4);

  @ParameterizedTest
  @CsvSource({
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
        + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,'',"
        + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
        + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,72,"
        + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
  })
  void signsAsTheRfcsVectors(String seed, String publicKey, String message, String signature) {
    Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(HexFormat.of().parseHex(seed));
    byte[] bytes = HexFormat.of().parseHex(message);
    assertThat(HexFormat.of().formatHex(key.publicKey().bytes())).isEqualTo(publicKey);
    assertThat(HexFormat.of().formatHex(key.sign(bytes))).isEqualTo(signature);
    assertThat(key.publicKey().verify(bytes, HexFormat.of().parseHex(signature))).isTrue();
    byte[] wrong = HexFormat.of().parseHex(signature);
    wrong[0] ^= 1;
    assertThat(key.publicKey().verify(bytes, wrong)).isFalse();
    assertThat(key.publicKey().verify(bytes, new byte[63])).isFalse();
  }

  @Test
  void aKeyThatIsNotAPointVerifiesNothing() {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) 0xff);
    assertThat(new Ed25519PublicKey(bytes).verify(new byte[0], new byte[64])).isFalse();
  }

  @Test
  @Spec({"F-24", "F-25"})
  void verifiesTheExampleOfTheFormatsSpecification() {
    byte[] key = Base64.getDecoder().decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    NoteKey peter =
        new NoteKey("PeterNeumann", new Ed25519PublicKey(Arrays.copyOfRange(key, 1, 33)));
    SignedNote note = SignedNote.parse(TEXT + "\n" + LINE);
    assertThat(note.verifiedBy(List.of(peter))).containsExactly("PeterNeumann");
    assertThat(note.encode()).isEqualTo(TEXT + "\n" + LINE);
  }

  /** Attack: a valid line 200 times, each of which would be verified. */
  @Test
  @Spec("F-24")
  void aLineThatStandsTwiceIsRefused() {
    NoteSigner issuer = NoteSigner.fromSeed("issuer", samples.bytes(32));
    String one = SignedNote.sign("hello\n", issuer).encode();
    String line = one.substring("hello\n\n".length());
    SignedNote.parse(one).requireSignedBy(issuer.publicKey());
    for (int copies : new int[] {2, 200}) {
      assertThatThrownBy(() -> SignedNote.parse("hello\n\n" + line.repeat(copies)))
          .hasMessageContaining("a signature line twice");
    }
  }

  @Test
  void countersignaturesAddUpAndUnknownOnesAreIgnored() {
    NoteSigner one = NoteSigner.fromSeed("solidus-authority-1", samples.bytes(32));
    NoteSigner two = NoteSigner.fromSeed("solidus-authority-2", samples.bytes(32));
    NoteSigner stranger = NoteSigner.fromSeed("stranger", samples.bytes(32));
    SignedNote note =
        SignedNote.sign("hello\n", one, stranger)
            .with(two.sign("hello\n"))
            .with(two.sign("hello\n"));
    assertThat(note.signatures()).hasSize(3);
    SignedNote parsed = SignedNote.parse(note.encode());
    assertThat(
            parsed.verify(
                Map.of(
                    "solidus-authority-1",
                    one.publicKey().publicKey(),
                    "solidus-authority-2",
                    two.publicKey().publicKey())))
        .containsExactlyInAnyOrder("solidus-authority-1", "solidus-authority-2");
  }

  @Test
  void anInvalidSignatureOfAKnownKeyInvalidatesTheNote() {
    NoteSigner signer = NoteSigner.fromSeed("solidus-policy", samples.bytes(32));
    SignedNote forged = new SignedNote("other\n", List.of(signer.sign("hello\n")));
    Rejected.with(
        RejectionCode.SIGNATURE_INVALID, () -> forged.verifiedBy(List.of(signer.publicKey())));
  }

  @Test
  @Spec("F-25")
  void keysOfOneNameAreDistinguished() {
    NoteSigner real = NoteSigner.fromSeed("solidus-policy", samples.bytes(32));
    NoteSigner impostor = NoteSigner.fromSeed("solidus-policy", samples.bytes(32));
    SignedNote note = SignedNote.sign("hello\n", impostor);
    assertThat(note.verifiedBy(List.of(real.publicKey()))).isEmpty();
    Rejected.with(RejectionCode.SIGNATURE_INVALID, () -> note.requireSignedBy(real.publicKey()));
  }

  @Test
  @Spec("F-24")
  void refusesMalformedNotes() {
    String good = SignedNote.sign("hello\n", NoteSigner.fromSeed("a", samples.bytes(32))).encode();
    for (String bad :
        List.of(
            "",
            "hello\n",
            "hello\n\n",
            good.substring(0, good.length() - 1),
            good + "\n",
            good.replace("\u2014 ", "- "),
            good.replace("hello", "hel\rlo"),
            good.replace("hello", "hel\u0000lo"),
            good.replace("\u2014 a", "\u2014 a b"),
            good.replace("\u2014 a", "\u2014 a+b"),
            "hello\n\n\u2014 a AAAA\n",
            "hello\n\n\u2014 a !!!!\n",
            "x".repeat(70_000) + good)) {
      Rejected.malformed(() -> SignedNote.parse(bad));
    }
    Rejected.malformed(() -> new NoteKey("", new Ed25519PublicKey(new byte[32])));
  }

  @Test
  void textsRoundTrip() {
    Policy policy =
        new Policy(
            7,
            new Period(202611),
            Amount.of(1),
            Amount.of(2),
            Amount.of(3),
            Amount.of(6),
            4,
            Amount.of(5),
            1_790_000_000_000L);
    assertThat(Policy.parse(Samples.NETWORK, policy.toNoteText(Samples.NETWORK))).isEqualTo(policy);
    SanctionCheckpoint checkpoint =
        new SanctionCheckpoint(
            9, samples.field(), 12, new Digest32(samples.bytes(32)), 1_790_000_000_000L);
    assertThat(SanctionCheckpoint.parse(Samples.NETWORK, checkpoint.toNoteText(Samples.NETWORK)))
        .isEqualTo(checkpoint);
    Heartbeat heartbeat = new Heartbeat(9, 1_790_000_000_001L);
    assertThat(Heartbeat.parse(Samples.NETWORK, heartbeat.toNoteText(Samples.NETWORK)))
        .isEqualTo(heartbeat);
    Attestation attestation =
        new Attestation(
            new Digest32(samples.bytes(32)),
            TxCore.of(samples.bytes(32)),
            new Apk(samples.field()),
            5);
    assertThat(Attestation.parse(Samples.NETWORK, attestation.toNoteText(Samples.NETWORK)))
        .isEqualTo(attestation);
  }

  @Test
  @Spec("F-26")
  void policyTextIsAsDocumented() {
    Policy policy =
        new Policy(
            1,
            new Period(202611),
            Amount.of(10),
            Amount.of(20),
            Amount.of(30),
            Amount.of(35),
            40,
            Amount.of(50),
            60);
    assertThat(policy.toNoteText(Samples.NETWORK))
        .isEqualTo(
            """
            solidus/policy/v1
            solidus-test
            version: 1
            period: 202611
            max-per-transfer-minor: 10
            max-per-period-minor: 20
            max-held-minor: 30
            max-escrow-minor: 35
            max-transfers-per-period: 40
            mint-cap-per-day-minor: 50
            effective-at-millis: 60
            """);
  }

  @Test
  @Spec("F-26")
  void everyValueHasExactlyOneText() {
    String text = new Heartbeat(9, 1000).toNoteText(Samples.NETWORK);
    for (String bad :
        List.of(
            text.replace("1000", "01000"),
            text.replace("1000", "+1000"),
            text.replace("1000", "-1"),
            text.replace("1000", " 1000"),
            text.replace("1000", "99999999999999999999"),
            text.replace("at-millis", "atMillis"),
            text + "more: 1\n",
            text.substring(0, text.length() - 1),
            "")) {
      Rejected.malformed(() -> Heartbeat.parse(Samples.NETWORK, bad));
    }
    Rejected.with(
        RejectionCode.WRONG_NETWORK, () -> Heartbeat.parse(new NetworkId("other-net"), text));
    Rejected.with(RejectionCode.UNKNOWN_VERSION, () -> Policy.parse(Samples.NETWORK, text));
    Rejected.with(
        RejectionCode.UNKNOWN_VERSION,
        () -> Heartbeat.parse(Samples.NETWORK, text.replace("/v1", "/v2")));
    String upper =
        new SanctionCheckpoint(1, samples.field(), 0, new Digest32(samples.bytes(32)), 1)
            .toNoteText(Samples.NETWORK)
            .replaceAll("(?<=list-digest: )(.*)", "ABCDEF" + "0".repeat(58));
    Rejected.malformed(() -> SanctionCheckpoint.parse(Samples.NETWORK, upper));
  }
}
