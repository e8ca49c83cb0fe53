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
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.AuthProvider;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sealed shares with a real PKCS#11 token. */
@Tag("process")
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
        SoftToken.library().isPresent(), "needs SoftHSM2 (Debian: apt-get install softhsm2)");
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
  void opensTheShareThatWasWrapped() {
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
  void theEnvelopeContainsNoPlainSecret() throws IOException {
    String wrapped = Files.readString(envelope);
    String plain = Files.readString(share);
    List<String> secrets = new ArrayList<>();
    Matcher hex = Pattern.compile("[0-9a-f]{64}").matcher(plain);
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
    assertThat(Files.readString(again)).as("a fresh data key and nonce").isNotEqualTo(wrapped);
  }

  @Test
  void refusesAWrongPin() {
    assertRefused(CustodyCode.PIN_WRONG, envelope, with(SoftToken.pinFile("000000")), binding);
    assertOpens();
  }

  @Test
  void logsOutAfterEachUse() {
    assertOpens();
    assertRefused(CustodyCode.PIN_WRONG, envelope, with(SoftToken.pinFile("111111")), binding);
    assertOpens();
  }

  @Test
  void refusesAPinFileThatIsOpenEmptyLongOrMissing() throws IOException {
    Path open = SoftToken.pinFile(SoftToken.PIN);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r-----"));
    assertRefused(CustodyCode.PIN_FILE, envelope, with(open), binding);
    assertRefused(CustodyCode.PIN_FILE, envelope, with(SoftToken.pinFile("")), binding);
    assertRefused(
        CustodyCode.PIN_FILE, envelope, with(SoftToken.pinFile("1".repeat(300))), binding);
    assertRefused(CustodyCode.PIN_FILE, envelope, with(folder.resolve("no-such-pin")), binding);
  }

  @Test
  void refusesAnUnknownKeyLabel() {
    assertRefused(
        CustodyCode.KEY_MISSING,
        envelope,
        new TokenAccess(token.library(), token.slot(), "no-such-key", token.pinFile()),
        binding);
    assertRefused(
        CustodyCode.KEY_MISSING,
        envelope,
        new TokenAccess(token.library(), token.slot(), "no such\nkey", token.pinFile()),
        binding);
  }

  @Test
  void refusesAnotherTokensKeyWithTheSameLabel() {
    assertRefused(CustodyCode.KEY_WRONG, envelope, otherToken, binding);
  }

  @Test
  void refusesASlotWithoutAToken() {
    assertRefused(
        CustodyCode.TOKEN_ABSENT,
        envelope,
        new TokenAccess(token.library(), 4711, LABEL, token.pinFile()),
        binding);
  }

  @Test
  void refusesAFileThatIsNotAPkcs11Library() throws IOException {
    Path none = Files.writeString(folder.resolve("library.so"), "not a library");
    assertRefused(
        CustodyCode.TOKEN_LIBRARY,
        envelope,
        new TokenAccess(none, token.slot(), LABEL, token.pinFile()),
        binding);
    Path injected = Path.of("/x.so\nslot = 0");
    assertRefused(
        CustodyCode.TOKEN_LIBRARY,
        envelope,
        new TokenAccess(injected, token.slot(), LABEL, token.pinFile()),
        binding);
  }

  @Test
  @Spec("K-05")
  void refusesAnEnvelopeForAnotherBinding() {
    NetworkId network = binding.network();
    Digest32 manifest = binding.manifest();
    assertRefused(
        CustodyCode.OTHER_NETWORK,
        envelope,
        token,
        new Binding(new NetworkId("another-network"), AUTHORITY, 0, manifest));
    assertRefused(
        CustodyCode.OTHER_AUTHORITY, envelope, token, new Binding(network, 1, 0, manifest));
    assertRefused(
        CustodyCode.OTHER_EPOCH, envelope, token, new Binding(network, AUTHORITY, 1, manifest));
    assertRefused(
        CustodyCode.OTHER_MANIFEST,
        envelope,
        token,
        new Binding(network, AUTHORITY, 0, Digest32.fromHex("00".repeat(32))));
  }

  /** The binding is authenticated, so an attacker cannot change it. */
  @Test
  @Spec("K-05")
  void refusesAnEnvelopeWithAChangedBinding() throws IOException {
    NetworkId network = binding.network();
    assertRefused(
        CustodyCode.ENVELOPE_TAMPERED,
        altered("\"authority\":2", "\"authority\":1"),
        token,
        new Binding(network, 1, 0, binding.manifest()));
    assertRefused(
        CustodyCode.ENVELOPE_TAMPERED,
        altered("\"epoch\":0", "\"epoch\":1"),
        token,
        new Binding(network, AUTHORITY, 1, binding.manifest()));
    Digest32 other = Digest32.fromHex("00".repeat(32));
    assertRefused(
        CustodyCode.ENVELOPE_TAMPERED,
        altered(binding.manifest().hex(), other.hex()),
        token,
        new Binding(network, AUTHORITY, 0, other));
    assertRefused(CustodyCode.ENVELOPE_TAMPERED, altered(LABEL, "other-kek"), token, binding);
  }

  @Test
  @Spec("K-07")
  void refusesAnEnvelopeWithAChangedByte() throws IOException {
    assertRefused(CustodyCode.KEY_WRONG, flipped("\"wrappedKey\":\"", 20), token, binding);
    assertRefused(CustodyCode.ENVELOPE_TAMPERED, flipped("\"nonce\":\"", 3), token, binding);
    assertRefused(CustodyCode.ENVELOPE_TAMPERED, flipped("\"sealed\":\"", 0), token, binding);
    assertRefused(CustodyCode.ENVELOPE_TAMPERED, flipped("\"sealed\":\"", 100), token, binding);
    String text = Files.readString(envelope);
    assertRefused(
        CustodyCode.ENVELOPE_TAMPERED,
        file(text.substring(0, text.length() - 5) + "\"}\n"),
        token,
        binding);
    assertRefused(CustodyCode.ENVELOPE_MALFORMED, file(text + " "), token, binding);
  }

  @Test
  void refusesAFileOfTheOtherKind() {
    assertRefused(CustodyCode.NOT_WRAPPED, share, token, binding);
    assertRefused(CustodyCode.NO_TOKEN, envelope, null, binding);
  }

  /** Anyone with the PIN could export such a key, in plain text or under another key. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Spec("K-07")
  void refusesAnExtractableKey(boolean sensitive) throws Exception {
    String label = "leaky-kek-" + sensitive;
    makeExtractableKey(label, sensitive);
    TokenAccess leaky = new TokenAccess(token.library(), token.slot(), label, token.pinFile());
    assertRefused(CustodyCode.KEY_EXTRACTABLE, envelope, leaky, binding);
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
  void makesAKeyOnce() {
    assertThat(run("token-key", token)).isEqualTo(1);
    assertThat(err()).contains("KEY_EXISTS");
  }

  @Test
  void wrapsOnlyACeremonysShareOfTheCommittee() throws IOException {
    Path dealt = keys.shareFile(AUTHORITY);
    Path target = folder.resolve("never.wrapped");
    assertThat(wrap(dealt, target)).isEqualTo(1);
    assertThat(err()).contains("SHARE_CLASS");
    Path wrong = folder.resolve("wrong.json");
    Files.copy(share, wrong, StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(
        wrong, Files.readString(share).replaceFirst("\"x\":\"[0-9a-f]{8}", "\"x\":\"00000001"));
    assertThat(wrap(wrong, target)).isEqualTo(1);
    assertThat(err()).contains("SHARE_WRONG");
    Path foreign = folder.resolve("foreign.json");
    Files.copy(share, foreign, StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(foreign, Files.readString(share).replace("\"index\":2", "\"index\":9"));
    assertThat(wrap(foreign, target)).isEqualTo(1);
    assertThat(err()).contains("SHARE_WRONG");
    assertThat(target).doesNotExist();
    assertThat(wrap(share, envelope)).as("an existing file stays").isEqualTo(1);
    assertThat(err()).contains("FILE");
  }

  @Test
  void rewrapsForANewManifestOfTheSameCommittee() throws IOException {
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
      assertRefused(CustodyCode.OTHER_MANIFEST, envelope, token, Binding.of(now, AUTHORITY));
    }
    assertRefused(CustodyCode.OTHER_MANIFEST, target, token, binding);
    to[7] = share.toString();
    to[9] = folder.resolve("other.wrapped").toString();
    assertThat(run("rewrap", token, to)).isEqualTo(1);
    assertThat(err()).contains("NOT_WRAPPED");
  }

  @Test
  void unwrapsForARefresh() throws IOException {
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
  void explainsTheUsageAfterWrongArguments() {
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
  void everyCommandHasHelp() {
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    assertThat(CustodyCommand.run(new String[] {"wrap", "--help"}, print(help), print(err)))
        .isZero();
    assertThat(help.toString(StandardCharsets.UTF_8)).contains("usage:", "wrap");
  }

  @Test
  void refusesADevelopmentShareWhereACeremonysIsRequired() {
    try (ShareFile dealt = ShareFile.read(keys.shareFile(AUTHORITY))) {
      assertThatThrownBy(dealt::requireCeremony)
          .isInstanceOfSatisfying(
              CustodyException.class, e -> assertThat(e.code()).isEqualTo(CustodyCode.SHARE_CLASS));
    }
  }

  private void assertOpens() {
    try (ShareFile file = ShareFile.read(envelope, token, binding)) {
      assertThat(file.index()).isEqualTo(AUTHORITY);
    }
  }

  private static void assertRefused(
      CustodyCode code, Path file, @Nullable TokenAccess access, Binding wanted) {
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

  /** The envelope with one hexadecimal digit after {@code member} changed. */
  private static Path flipped(String member, int digit) throws IOException {
    StringBuilder text = new StringBuilder(Files.readString(envelope));
    int at = text.indexOf(member) + member.length() + digit;
    text.setCharAt(at, text.charAt(at) == '0' ? '1' : '0');
    return file(text.toString());
  }

  private static Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "altered", ".wrapped"), text);
  }

  /** Puts a key into the token that the token may export. */
  private static void makeExtractableKey(String label, boolean sensitive) throws Exception {
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
