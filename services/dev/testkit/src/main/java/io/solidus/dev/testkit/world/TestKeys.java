package io.solidus.dev.testkit.world;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Development keys of one test network, made once on a machine and shared by all tests of this JVM.
 */
public final class TestKeys {

  private static final int VALIDATORS = 4;
  private static final Map<NetworkKind, TestKeys> MADE = new EnumMap<>(NetworkKind.class);

  private final NetworkId network;
  private final NetworkKind kind;
  private final Path directory;
  private final byte[] manifestKey;
  private final KeySet keys;
  private final Prover prover;
  private final TestCommittee committee;

  private TestKeys(NetworkKind kind) {
    this.kind = kind;
    this.network =
        new NetworkId(kind == NetworkKind.REGULATED ? "validator-test" : "validator-free-test");
    this.directory = DevelopmentKeys.directory(cache().resolve(network.value()), network, kind);
    this.manifestKey = DevelopmentKeys.make(directory, network, kind, VALIDATORS);
    this.keys = KeySet.open(directory, network, kind, Set.of(KeyClass.DEVELOPMENT), manifestKey);
    this.prover = Prover.open(keys, 1);
    this.committee = TestCommittee.open(this);
  }

  public static synchronized TestKeys of(NetworkKind kind) {
    return MADE.computeIfAbsent(kind, TestKeys::new);
  }

  private static Path cache() {
    String configured = System.getProperty("solidus.test.keys");
    return configured != null
        ? Path.of(configured)
        : Path.of(System.getProperty("user.home"), ".cache", "solidus", "test-keys");
  }

  public NetworkId network() {
    return network;
  }

  public NetworkKind kind() {
    return kind;
  }

  public Path directory() {
    return directory;
  }

  public Path shareFile(int authority) {
    return directory.resolve("shares").resolve("authority-" + authority + ".json");
  }

  public String manifestKeyBase64() {
    return Base64.getEncoder().encodeToString(manifestKey);
  }

  public KeySet keys() {
    return keys;
  }

  public Committee members() {
    return keys.committee();
  }

  public TestCommittee committee() {
    return committee;
  }

  public Prover prover() {
    return prover;
  }
}
