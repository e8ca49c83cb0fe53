package io.solidus.dev.sandbox.settings;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The options of a sandbox.
 *
 * @param data databases, broker, secrets and wallets of the demo; kept between starts
 * @param keysCache the directory of the development keys without the suffix for the circuits, see
 *     {@link #keys}; the keys themselves for a load test, and where they have shapes
 * @param kafkaLibrary the folder with the broker's jars
 * @param authorities N = 3f+1
 * @param shards of each authority
 * @param keyClass the only class of keys that the services open
 * @param kind of the network
 */
public record SandboxOptions(
    Path data,
    Path keysCache,
    Path kafkaLibrary,
    Ports ports,
    int authorities,
    int shards,
    KeyClass keyClass,
    NetworkKind kind) {
  public static final String NETWORK = "solidus-dev";

  /** One network is never of both kinds. */
  public static final String UNREGULATED_NETWORK = "solidus-dev-unregulated";

  /** Load tests have a network of their own, so that their signatures are invalid elsewhere. */
  public static final String LOAD_TEST_NETWORK = "solidus-load";

  public SandboxOptions {
    if (keyClass == KeyClass.CEREMONY) {
      throw new IllegalArgumentException("a sandbox has no ceremony's keys");
    }
    if (keyClass == KeyClass.LOAD_TEST && kind != NetworkKind.REGULATED) {
      throw new IllegalArgumentException("load tests have a regulated network");
    }
  }

  /** Four authorities on the development keys that {@code ./solidus up} uses too. */
  public static SandboxOptions development(
      Path data, Path kafkaLibrary, int portShift, int shards) {
    String home = System.getenv("SOLIDUS_HOME");
    Path base =
        home == null
            ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
            : Path.of(home);
    return new SandboxOptions(
        data,
        base.resolve("keys").resolve("solidus-dev-4"),
        kafkaLibrary,
        Ports.shifted(portShift),
        4,
        shards,
        KeyClass.DEVELOPMENT,
        NetworkKind.REGULATED);
  }

  /** The sandbox of an unregulated network beside this one, with data of its own. */
  public SandboxOptions unregulated() {
    return new SandboxOptions(
        data.resolveSibling(data.getFileName() + "-unregulated"),
        keysCache,
        kafkaLibrary,
        ports,
        authorities,
        shards,
        keyClass,
        NetworkKind.UNREGULATED);
  }

  /** This sandbox as clients with other ports see it. */
  public SandboxOptions withPorts(Ports others) {
    return new SandboxOptions(
        data, keysCache, kafkaLibrary, others, authorities, shards, keyClass, kind);
  }

  /**
   * This sandbox on a copy of its development keys with the keys of shapes beside them, which are
   * made when they are missing: the first time in some two minutes of a core.
   */
  public SandboxOptions withShapes() {
    if (loadTest() || !isRegulated()) {
      throw new IllegalArgumentException("shapes are of regulated networks and development keys");
    }
    byte[] manifestKey = DevelopmentKeys.make(keys(), network(), kind, authorities);
    DevelopmentKeys.Made made = DevelopmentKeys.withShapes(keys(), network(), kind, manifestKey);
    return new SandboxOptions(
        data, made.dir(), kafkaLibrary, ports, authorities, shards, keyClass, kind);
  }

  public boolean isRegulated() {
    return kind == NetworkKind.REGULATED;
  }

  /** The network of all services. */
  public NetworkId network() {
    if (loadTest()) {
      return new NetworkId(LOAD_TEST_NETWORK);
    }
    return new NetworkId(isRegulated() ? NETWORK : UNREGULATED_NETWORK);
  }

  /** Whether proofs are simulated, so that there are no proving keys. */
  public boolean loadTest() {
    return keyClass == KeyClass.LOAD_TEST;
  }

  /** Whether {@code keysCache} are the keys themselves. */
  public boolean keysAreGiven() {
    return loadTest() || Files.isRegularFile(keysCache.resolve("manifest.json"));
  }

  /**
   * The development keys for this build's circuits, beside those of earlier builds; or the keys of
   * a load test.
   */
  public Path keys() {
    return keysAreGiven() ? keysCache : DevelopmentKeys.directory(keysCache, network(), kind);
  }

  public Path secrets() {
    return data.resolve("secrets");
  }

  public Path stateFile() {
    return data.resolve("sandbox.json");
  }
}
