package io.solidus.dev.testkit;

import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A committee of four with development keys, and all of its secrets. The keys are made once per
 * machine (about a minute) and kept under $SOLIDUS_HOME or ~/.cache/solidus.
 */
public final class TestCommittee {
  public static final NetworkId NETWORK = new NetworkId("solidus-test");
  public static final int N = 4;
  private static final Map<NetworkKind, TestCommittee> MADE = new EnumMap<>(NetworkKind.class);

  private final NetworkKind kind;
  private final Path keysDir;
  private final byte[] manifestKey;
  private final Committee committee;

  private TestCommittee(NetworkKind kind, Path keysDir, byte[] manifestKey) {
    this.kind = kind;
    this.keysDir = keysDir;
    this.manifestKey = manifestKey;
    try (KeySet keys = openKeys()) {
      this.committee = keys.committee();
    }
  }

  public static TestCommittee regulated() {
    return of(NetworkKind.REGULATED);
  }

  public static TestCommittee unregulated() {
    return of(NetworkKind.UNREGULATED);
  }

  private static synchronized TestCommittee of(NetworkKind kind) {
    return MADE.computeIfAbsent(kind, TestCommittee::make);
  }

  public NetworkKind kind() {
    return kind;
  }

  public Committee committee() {
    return committee;
  }

  public Suite suite() {
    return new Suite(NETWORK, kind);
  }

  public Path keysDir() {
    return keysDir;
  }

  public byte[] manifestKey() {
    return manifestKey.clone();
  }

  public String manifestKeyBase64() {
    return Base64.getEncoder().encodeToString(manifestKey);
  }

  /** The caller closes it. */
  public KeySet openKeys() {
    return KeySet.open(keysDir, NETWORK, kind, Set.of(KeyClass.DEVELOPMENT), manifestKey);
  }

  /**
   * @param authority 1 to 4; the caller closes the share
   */
  public Share openShare(int authority) {
    JsonNode secrets = secrets(authority);
    return Share.open(hex(secrets, "x"), hex(secrets, "y"), authority);
  }

  /** What an authority countersigns with. */
  public NoteSigner countersigner(int authority) {
    return NoteSigner.fromSeed(
        CommitteeMember.noteName(authority), hex(secrets(authority), "noteKeySeed"));
  }

  /** The file an authority's signer loads. */
  public Path shareFile(int authority) {
    return keysDir.resolve("shares").resolve("authority-" + authority + ".json");
  }

  private JsonNode secrets(int authority) {
    try {
      return JsonMapper.shared().readTree(Files.readAllBytes(shareFile(authority)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] hex(JsonNode secrets, String name) {
    return HexFormat.of().parseHex(secrets.path(name).asString(""));
  }

  private static TestCommittee make(NetworkKind kind) {
    String home = System.getenv("SOLIDUS_HOME");
    Path base =
        home == null
            ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
            : Path.of(home);
    Path cache = base.resolve("test-keys").resolve(kind.name().toLowerCase(Locale.ROOT));
    Path dir = DevelopmentKeys.directory(cache, NETWORK, kind);
    return new TestCommittee(kind, dir, DevelopmentKeys.make(dir, NETWORK, kind, N));
  }
}
