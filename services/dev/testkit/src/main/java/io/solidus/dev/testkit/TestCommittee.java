package io.solidus.dev.testkit;

import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.OutputToBlind;
import io.solidus.prover.Prover;
import io.solidus.prover.Share;
import io.solidus.prover.SignedOutputs;
import io.solidus.prover.Suite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A committee of four with development keys and all of its secrets, one for each kind of network.
 * The keys are made once per machine (about a minute) under $SOLIDUS_HOME or ~/.cache/solidus, and
 * opened once per JVM.
 */
public final class TestCommittee {
  public static final NetworkId NETWORK = new NetworkId("solidus-test");
  public static final int N = 4;
  private static final Map<NetworkKind, TestCommittee> MADE = new EnumMap<>(NetworkKind.class);
  private static @Nullable TestCommittee withShapes;

  private final NetworkKind kind;
  private final Path keysDir;
  private final byte[] manifestKey;
  private final KeySet keys;
  private final List<Share> shares = new ArrayList<>();
  private @Nullable Prover prover;

  private TestCommittee(NetworkKind kind, Path keysDir, byte[] manifestKey) {
    this.kind = kind;
    this.keysDir = keysDir;
    this.manifestKey = manifestKey;
    this.keys = openKeys();
  }

  public static TestCommittee regulated() {
    return of(NetworkKind.REGULATED);
  }

  public static TestCommittee unregulated() {
    return of(NetworkKind.UNREGULATED);
  }

  public static synchronized TestCommittee of(NetworkKind kind) {
    return MADE.computeIfAbsent(kind, TestCommittee::make);
  }

  /**
   * The regulated committee with the keys of shapes as well, which take two minutes of a core once
   * per machine: for the tests that need them.
   */
  public static synchronized TestCommittee withShapes() {
    TestCommittee made = withShapes;
    if (made == null) {
      TestCommittee without = regulated();
      DevelopmentKeys.Made shapes =
          DevelopmentKeys.withShapes(
              without.keysDir, NETWORK, NetworkKind.REGULATED, without.manifestKey);
      made = new TestCommittee(NetworkKind.REGULATED, shapes.dir(), shapes.manifestKey());
      withShapes = made;
    }
    return made;
  }

  public NetworkId network() {
    return NETWORK;
  }

  public NetworkKind kind() {
    return kind;
  }

  public Committee committee() {
    return keys.committee();
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

  /** The key set that all tests of this JVM share; it stays open. */
  public KeySet keys() {
    return keys;
  }

  /** The prover that all tests of this JVM share; it stays open. */
  public synchronized Prover prover() {
    Prover opened = prover;
    if (opened == null) {
      opened = Prover.open(keys, 1);
      prover = opened;
    }
    return opened;
  }

  /** Opens a key set that the caller closes. */
  public KeySet openKeys() {
    return KeySet.open(keysDir, NETWORK, kind, Set.of(KeyClass.DEVELOPMENT), manifestKey);
  }

  /**
   * The committee after a refresh of its shares, in a new folder. It knows this one as a former
   * committee, whose shares end in a day and whose note keys in two.
   *
   * @param newNoteKey the authority that gets another note key, or 0
   */
  public TestCommittee refreshed(int newNoteKey) {
    try {
      Path dir = Files.createTempDirectory("solidus-refreshed");
      dir.toFile().deleteOnExit();
      return new TestCommittee(
          kind,
          dir,
          DevelopmentKeys.refresh(
              keys, keysDir, manifestKey, dir, Duration.ofDays(1), Duration.ofDays(2), newNoteKey));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens the share of an authority, 1 to 4; the caller closes it. */
  public Share openShare(int authority) {
    JsonNode secrets = secrets(authority);
    return Share.open(hex(secrets, "x"), hex(secrets, "y"), authority);
  }

  /** The key with which an authority countersigns. */
  public NoteSigner countersigner(int authority) {
    return NoteSigner.fromSeed(CommitteeMember.noteName(authority), noteKeySeed(authority));
  }

  /** The note key of an authority. */
  public Ed25519PrivateKey noteKey(int authority) {
    return Ed25519PrivateKey.fromSeed(noteKeySeed(authority));
  }

  /** The seed of the key with which an authority countersigns. */
  public byte[] noteKeySeed(int authority) {
    return hex(secrets(authority), "noteKeySeed");
  }

  /** The file that an authority's signer loads. */
  public Path shareFile(int authority) {
    return keysDir.resolve("shares").resolve("authority-" + authority + ".json");
  }

  /** The committee's signature on any message. */
  public Signature sign(FieldElement message) {
    Generators random = new Generators(new SecureRandom().nextLong());
    Scalar b = random.scalar();
    OutputToBlind output = new OutputToBlind(message, random.fieldElement(), b);
    Outputs outputs =
        suite().blind(new InputDigest(random.fieldElement()), Period.NONE, List.of(output));
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (int authority = 1; authority <= committee().quorum(); authority++) {
      partials.put(authority, share(authority).sign(suite(), outputs, 0));
    }
    G1Point combined = suite().combine(committee(), partials);
    return suite().unblind(committee(), outputs, 0, combined, b);
  }

  /** An answer of an authority: any points, with its vote for the core. */
  public PartialSignature voted(int authority, TxCore core, List<G1Point> points) {
    try (Ed25519PrivateKey noteKey = noteKey(authority)) {
      return PartialSignature.voted(authority, committee().epoch(), core, points, noteKey);
    }
  }

  /**
   * A partial signature moved to other outputs, as anybody can: one output's k is multiplied by
   * {@code g1^-by} and everything else is the same. The points are valid there. The vote is that of
   * the original, because only the authority can make another.
   */
  public PartialSignature moved(PartialSignature partial, Outputs outputs, int index, Scalar by) {
    Committee real = committee();
    CommitteeMember signer = real.member(partial.authority());
    Committee gamma =
        new Committee(
            NETWORK, real.epoch(), real.f(), real.x(), real.y(), signer.gamma(), real.members());
    List<G1Point> points = new ArrayList<>(partial.points());
    points.set(index, suite().unblind(gamma, outputs, index, points.get(index), by).s2());
    return new PartialSignature(partial.authority(), partial.shareEpoch(), points, partial.vote());
  }

  /** The partial signature of an authority on a transfer. */
  public PartialSignature partial(int authority, TransferStatement statement) {
    SignedOutputs signed =
        share(authority).signAll(NETWORK, List.of(Outputs.of(NETWORK, statement))).getFirst();
    return voted(authority, statement.core(NETWORK), signed.orThrow());
  }

  private synchronized Share share(int authority) {
    while (shares.size() < N) {
      shares.add(openShare(shares.size() + 1));
    }
    return shares.get(authority - 1);
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
