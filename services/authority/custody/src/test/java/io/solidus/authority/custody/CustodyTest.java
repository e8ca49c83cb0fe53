package io.solidus.authority.custody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.dev.testkit.CeremonyClass;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Share;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.AuthProvider;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares in the custody of a real PKCS#11 token. */
class CustodyTest {
  private static final int AUTHORITY = 2;
  private static final String LABEL = "share-kek";

  @TempDir private static Path folder;
  private static TestCommittee keys;
  private static CeremonyClass ceremony;
  private static KeySet opened;
  private static Binding binding;
  private static TokenAccess token;
  private static TokenAccess otherToken;
  private static Path share;
  private static Path envelope;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void wrapOnce() {
    assumeTrue(
        SoftToken.library().isPresent(),
        "SoftHSM2 is not installed (Debian: apt-get install softhsm2): shares in a token are not tested");
    keys = TestCommittee.of(NetworkKind.REGULATED);
    ceremony = CeremonyClass.of(keys.keysDir(), folder.resolve("keys"));
    opened =
        KeySet.open(
            ceremony.directory(),
            keys.network(),
            keys.kind(),
            Set.of(KeyClass.CEREMONY),
            ceremony.manifestKeyBytes());
    binding = Binding.of(opened, AUTHORITY);
    share = CeremonyClass.share(keys.keysDir(), AUTHORITY, folder.resolve("share.json"));
    token = SoftToken.access("custody", LABEL);
    otherToken = SoftToken.access("another", LABEL);
    CustodyTest test = new CustodyTest();
    for (TokenAccess access : List.of(token, otherToken)) {
      assertThat(test.run("token-key", access)).as(test.err()).isZero();
    }
    envelope = folder.resolve("share.wrapped");
    assertThat(test.wrap(share, envelope)).as(test.err()).isZero();
    assertThat(test.out())
        .contains("wrapped: share of authority 2", "epoch 0", opened.manifestDigest().hex());
  }

  @Test
  void theSignerGetsTheShareThatWasWrapped() {
    try (ShareFile file = ShareFile.read(envelope, token, binding);
        ShareFile plain = ShareFile.read(share)) {
      assertThat(file.sameAs(plain)).isTrue();
      file.requireCeremony();
      try (Share opening = file.open(AUTHORITY)) {
        assertThat(opening.matches(opened.committee().member(AUTHORITY))).isTrue();
      }
    }
    assertThat(
            run("unwrap-check", token, keysAnd("--share", envelope.toString(), "--authority", "2")))
        .as(err())
        .isZero();
    assertThat(out()).startsWith("ok: share of authority 2");
  }

  @Test
  @Spec("K-06")
  void theEnvelopeShowsNothingOfTheShare() throws IOException {
    String wrapped = Files.readString(envelope);
    String plain = Files.readString(share);
    List<String> secrets = new ArrayList<>();
    java.util.regex.Matcher hex = java.util.regex.Pattern.compile("[0-9a-f]{64}").matcher(plain);
    while (hex.find()) {
      secrets.add(hex.group());
    }
    assertThat(secrets).hasSize(3);
    assertThat(wrapped)
        .doesNotContain(secrets)
        .doesNotContain(
            HexFormat.of().formatHex(secrets.getFirst().getBytes(StandardCharsets.US_ASCII)));
    Path again = folder.resolve("again.wrapped");
    assertThat(wrap(share, again)).as(err()).isZero();
    assertThat(Files.readString(again))
        .as("another data key and nonce each time")
        .isNotEqualTo(wrapped);
  }

  @Test
  void aWrongPin() {
    refused(CustodyCode.PIN_WRONG, envelope, with(SoftToken.pinFile("000000")), binding);
    theRightOneStillWorks();
  }

  @Test
  void nobodyStaysLoggedIn() {
    theRightOneStillWorks();
    refused(CustodyCode.PIN_WRONG, envelope, with(SoftToken.pinFile("111111")), binding);
    theRightOneStillWorks();
  }

  @Test
  void aPinThatOthersCanReadOrThatIsNone() throws IOException {
    Path open = SoftToken.pinFile(SoftToken.PIN);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r-----"));
    refused(CustodyCode.PIN_FILE, envelope, with(open), binding);
    refused(CustodyCode.PIN_FILE, envelope, with(SoftToken.pinFile("")), binding);
    refused(CustodyCode.PIN_FILE, envelope, with(SoftToken.pinFile("1".repeat(300))), binding);
    refused(CustodyCode.PIN_FILE, envelope, with(folder.resolve("no-such-pin")), binding);
  }

  @Test
  void aLabelThatNoKeyHas() {
    refused(
        CustodyCode.KEY_MISSING,
        envelope,
        new TokenAccess(token.library(), token.slot(), "no-such-key", token.pinFile()),
        binding);
    refused(
        CustodyCode.KEY_MISSING,
        envelope,
        new TokenAccess(token.library(), token.slot(), "no such\nkey", token.pinFile()),
        binding);
  }

  @Test
  void anotherTokenWithAKeyOfThatLabel() {
    refused(CustodyCode.KEY_WRONG, envelope, otherToken, binding);
  }

  @Test
  void aSlotWithoutAToken() {
    refused(
        CustodyCode.TOKEN_ABSENT,
        envelope,
        new TokenAccess(token.library(), 4711, LABEL, token.pinFile()),
        binding);
  }

  @Test
  void aLibraryThatIsNone() throws IOException {
    Path none = Files.writeString(folder.resolve("library.so"), "no library");
    refused(
        CustodyCode.TOKEN_LIBRARY,
        envelope,
        new TokenAccess(none, token.slot(), LABEL, token.pinFile()),
        binding);
    Path injected = Path.of("/x.so\nslot = 0");
    refused(
        CustodyCode.TOKEN_LIBRARY,
        envelope,
        new TokenAccess(injected, token.slot(), LABEL, token.pinFile()),
        binding);
  }

  @Test
  @Spec("K-05")
  void anEnvelopeForSomethingElse() {
    NetworkId network = binding.network();
    Digest32 manifest = binding.manifest();
    refused(
        CustodyCode.OTHER_NETWORK,
        envelope,
        token,
        new Binding(new NetworkId("another-network"), AUTHORITY, 0, manifest));
    refused(CustodyCode.OTHER_AUTHORITY, envelope, token, new Binding(network, 1, 0, manifest));
    refused(CustodyCode.OTHER_EPOCH, envelope, token, new Binding(network, AUTHORITY, 1, manifest));
    refused(
        CustodyCode.OTHER_MANIFEST,
        envelope,
        token,
        new Binding(network, AUTHORITY, 0, Digest32.fromHex("00".repeat(32))));
  }

  /**
   * Whoever writes on an envelope what a signer wants to read there changes what was authenticated.
   */
  @Test
  @Spec("K-05")
  void anEnvelopeThatSaysItIsForSomethingElse() throws IOException {
    NetworkId network = binding.network();
    refused(
        CustodyCode.ENVELOPE_TAMPERED,
        altered("\"authority\":2", "\"authority\":1"),
        token,
        new Binding(network, 1, 0, binding.manifest()));
    refused(
        CustodyCode.ENVELOPE_TAMPERED,
        altered("\"epoch\":0", "\"epoch\":1"),
        token,
        new Binding(network, AUTHORITY, 1, binding.manifest()));
    Digest32 other = Digest32.fromHex("00".repeat(32));
    refused(
        CustodyCode.ENVELOPE_TAMPERED,
        altered(binding.manifest().hex(), other.hex()),
        token,
        new Binding(network, AUTHORITY, 0, other));
    refused(CustodyCode.ENVELOPE_TAMPERED, altered(LABEL, "other-kek"), token, binding);
  }

  @Test
  @Spec("K-07")
  void anEnvelopeOfWhichAByteIsAnother() throws IOException {
    refused(CustodyCode.KEY_WRONG, flipped("\"wrappedKey\":\"", 20), token, binding);
    refused(CustodyCode.ENVELOPE_TAMPERED, flipped("\"nonce\":\"", 3), token, binding);
    refused(CustodyCode.ENVELOPE_TAMPERED, flipped("\"sealed\":\"", 0), token, binding);
    refused(CustodyCode.ENVELOPE_TAMPERED, flipped("\"sealed\":\"", 100), token, binding);
    String text = Files.readString(envelope);
    refused(
        CustodyCode.ENVELOPE_TAMPERED,
        file(text.substring(0, text.length() - 5) + "\"}\n"),
        token,
        binding);
    refused(CustodyCode.ENVELOPE_MALFORMED, file(text + " "), token, binding);
  }

  @Test
  void whatIsNotAsItIsConfigured() {
    refused(CustodyCode.NOT_WRAPPED, share, token, binding);
    refused(CustodyCode.NO_TOKEN, envelope, null, binding);
  }

  /** In the clear, or only under another key: whoever has the PIN could take either elsewhere. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Spec("K-07")
  void aKeyThatTheTokenGivesAway(boolean sensitive) throws Exception {
    String label = "leaky-kek-" + sensitive;
    giveAway(label, sensitive);
    TokenAccess leaky = new TokenAccess(token.library(), token.slot(), label, token.pinFile());
    refused(CustodyCode.KEY_EXTRACTABLE, envelope, leaky, binding);
    assertThat(
            run(
                "wrap",
                leaky,
                keysAnd("--share", share.toString(), "--out", folder.resolve("leaky").toString())))
        .isEqualTo(1);
    assertThat(err()).contains("KEY_EXTRACTABLE");
    assertThat(folder.resolve("leaky")).doesNotExist();
  }

  @Test
  void makesNoKeyTwice() {
    assertThat(run("token-key", token)).isEqualTo(1);
    assertThat(err()).contains("KEY_EXISTS");
  }

  @Test
  void wrapsNothingButTheCommitteesShareOfACeremony() throws IOException {
    Path dealt = keys.shareFile(AUTHORITY);
    Path target = folder.resolve("never.wrapped");
    assertThat(wrap(dealt, target)).isEqualTo(1);
    assertThat(err()).contains("SHARE_CLASS");
    Path wrong = folder.resolve("wrong.json");
    Files.copy(share, wrong, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(
        wrong, Files.readString(share).replaceFirst("\"x\":\"[0-9a-f]{8}", "\"x\":\"00000001"));
    assertThat(wrap(wrong, target)).isEqualTo(1);
    assertThat(err()).contains("SHARE_WRONG");
    Path foreign = folder.resolve("foreign.json");
    Files.copy(share, foreign, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(foreign, Files.readString(share).replace("\"index\":2", "\"index\":9"));
    assertThat(wrap(foreign, target)).isEqualTo(1);
    assertThat(err()).contains("SHARE_WRONG");
    assertThat(target).doesNotExist();
    assertThat(wrap(share, envelope)).as("an envelope that is there stays").isEqualTo(1);
    assertThat(err()).contains("FILE");
  }

  @Test
  void goesUnderANewManifestOfTheSameCommittee() throws IOException {
    CeremonyClass renewed =
        CeremonyClass.of(keys.keysDir(), folder.resolve("renewed"), "another transcript");
    Path target = folder.resolve("renewed.wrapped");
    String[] to = {
      "--keys",
      renewed.directory().toString(),
      "--manifest-key",
      renewed.manifestKey(),
      "--network",
      keys.network().value(),
      "--share",
      envelope.toString(),
      "--out",
      target.toString()
    };
    assertThat(run("rewrap", token, to)).as(err()).isZero();
    try (KeySet now =
            KeySet.open(
                renewed.directory(),
                keys.network(),
                keys.kind(),
                Set.of(KeyClass.CEREMONY),
                renewed.manifestKeyBytes());
        ShareFile moved = ShareFile.read(target, token, Binding.of(now, AUTHORITY));
        ShareFile plain = ShareFile.read(share)) {
      assertThat(moved.sameAs(plain)).isTrue();
      refused(CustodyCode.OTHER_MANIFEST, envelope, token, Binding.of(now, AUTHORITY));
    }
    refused(CustodyCode.OTHER_MANIFEST, target, token, binding);
    to[7] = share.toString();
    to[9] = folder.resolve("other.wrapped").toString();
    assertThat(run("rewrap", token, to)).isEqualTo(1);
    assertThat(err()).contains("NOT_WRAPPED");
  }

  @Test
  void comesOutForARefresh() throws IOException {
    Path plain = folder.resolve("out.json");
    assertThat(run("unwrap", token, "--share", envelope.toString(), "--out", plain.toString()))
        .as(err())
        .isZero();
    assertThat(plain).hasSameBinaryContentAs(share);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(plain)))
        .isEqualTo("rw-------");
    assertThat(
            run(
                "unwrap",
                otherToken,
                "--share",
                envelope.toString(),
                "--out",
                folder.resolve("none.json").toString()))
        .isEqualTo(1);
    assertThat(err()).contains("KEY_WRONG");
    assertThat(folder.resolve("none.json")).doesNotExist();
  }

  @Test
  void argumentsThatMakeNoSense() {
    for (String[] args :
        new String[][] {
          {},
          {"wrap"},
          {"no-such-command"},
          {"wrap", "--share"},
          {"token-key", "--slot", "x", "--library", "/x", "--key-label", "l"}
        }) {
      err.reset();
      assertThat(CustodyCommand.run(args, print(out), print(err))).isEqualTo(2);
      assertThat(err()).contains("usage:");
    }
  }

  @Test
  void helpIsAskedForWithEveryCommand() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    assertThat(CustodyCommand.run(new String[] {"wrap", "--help"}, print(said), print(err)))
        .isZero();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("usage:", "wrap");
  }

  @Test
  void aShareThatADealerMadeIsNoCeremonys() {
    try (ShareFile dealt = ShareFile.read(keys.shareFile(AUTHORITY))) {
      assertThatThrownBy(dealt::requireCeremony)
          .isInstanceOfSatisfying(
              CustodyException.class, e -> assertThat(e.code()).isEqualTo(CustodyCode.SHARE_CLASS));
    }
  }

  private void theRightOneStillWorks() {
    try (ShareFile file = ShareFile.read(envelope, token, binding)) {
      assertThat(file.index()).isEqualTo(AUTHORITY);
    }
  }

  private static void refused(CustodyCode code, Path file, TokenAccess access, Binding wanted) {
    assertThatExceptionOfType(CustodyException.class)
        .isThrownBy(() -> ShareFile.read(file, access, wanted).close())
        .withMessageStartingWith(code.name())
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(SoftToken.PIN))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  private static TokenAccess with(Path pinFile) {
    return new TokenAccess(token.library(), token.slot(), LABEL, pinFile);
  }

  private static Path altered(String part, String other) throws IOException {
    String text = Files.readString(envelope);
    assertThat(text).contains(part);
    return file(text.replace(part, other));
  }

  /** With one hexadecimal digit behind {@code member} changed. */
  private static Path flipped(String member, int digit) throws IOException {
    StringBuilder text = new StringBuilder(Files.readString(envelope));
    int at = text.indexOf(member) + member.length() + digit;
    text.setCharAt(at, text.charAt(at) == '0' ? '1' : '0');
    return file(text.toString());
  }

  private static Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "altered", ".wrapped"), text);
  }

  /** A key that somebody put into the token without saying that it must not come out. */
  private static void giveAway(String label, boolean sensitive) throws Exception {
    Provider provider =
        Security.getProvider("SunPKCS11")
            .configure(
                "--name=leaky\nlibrary="
                    + token.library()
                    + "\nslot="
                    + token.slot()
                    + "\nattributes(*,CKO_SECRET_KEY,CKK_AES) = {\n CKA_SENSITIVE = "
                    + sensitive
                    + "\n CKA_EXTRACTABLE = true\n CKA_WRAP = true\n}\n");
    try {
      KeyStore store = KeyStore.getInstance("PKCS11", provider);
      store.load(null, SoftToken.PIN.toCharArray());
      store.setEntry(
          label, new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[32], "AES")), null);
    } finally {
      ((AuthProvider) provider).logout();
    }
  }

  private int wrap(Path file, Path target) {
    return run("wrap", token, keysAnd("--share", file.toString(), "--out", target.toString()));
  }

  private static String[] keysAnd(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--keys",
                ceremony.directory().toString(),
                "--manifest-key",
                ceremony.manifestKey(),
                "--network",
                keys.network().value()));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private int run(String command, TokenAccess access, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                command,
                "--library",
                access.library().toString(),
                "--slot",
                String.valueOf(access.slot()),
                "--key-label",
                access.keyLabel(),
                "--pin-file",
                access.pinFile().toString()));
    all.addAll(List.of(more));
    out.reset();
    err.reset();
    return CustodyCommand.run(all.toArray(String[]::new), print(out), print(err));
  }

  private static PrintStream print(ByteArrayOutputStream target) {
    return new PrintStream(target, true, StandardCharsets.UTF_8);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
