package io.solidus.dev.sandbox.settings;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import java.nio.file.Path;

/**
 * @param data databases, broker, secrets, wallets of the demo; kept between starts
 * @param keysCache where the development keys would be if circuits never changed, see {@link
 *     #keys}; of a load test its keys themselves
 * @param kafkaLibrary the broker's jars
 * @param authorities N = 3f+1
 * @param shards of each authority
 * @param keyClass the only class of keys that the services of this sandbox open
 */
public record SandboxOptions(
    Path data,
    Path keysCache,
    Path kafkaLibrary,
    Ports ports,
    int authorities,
    int shards,
    KeyClass keyClass) {
  public static final String NETWORK = "solidus-dev";

  /** A network of its own: nothing that a load test signs means anything elsewhere. */
  public static final String LOAD_TEST_NETWORK = "solidus-load";

  public SandboxOptions {
    if (keyClass == KeyClass.CEREMONY) {
      throw new IllegalArgumentException("a sandbox has no ceremony's keys");
    }
  }

  /** With development keys. */
  public SandboxOptions(
      Path data, Path keysCache, Path kafkaLibrary, Ports ports, int authorities, int shards) {
    this(data, keysCache, kafkaLibrary, ports, authorities, shards, KeyClass.DEVELOPMENT);
  }

  /** The network that all services of this sandbox serve. */
  public NetworkId network() {
    return new NetworkId(loadTest() ? LOAD_TEST_NETWORK : NETWORK);
  }

  /** Whether proofs are simulated here, so that there is nothing to prove with. */
  public boolean loadTest() {
    return keyClass == KeyClass.LOAD_TEST;
  }

  /**
   * The development keys of the circuits of this build, while keys of an earlier build stay beside
   * them; or a load test's keys.
   */
  public Path keys() {
    return loadTest()
        ? keysCache
        : DevelopmentKeys.directory(keysCache, network(), NetworkKind.REGULATED);
  }

  public Path secrets() {
    return data.resolve("secrets");
  }

  public Path stateFile() {
    return data.resolve("sandbox.json");
  }
}
