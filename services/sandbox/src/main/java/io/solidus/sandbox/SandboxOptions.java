package io.solidus.sandbox;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.DevelopmentKeys;
import java.nio.file.Path;

/**
 * @param data databases, broker, secrets, wallets of the demo; kept between starts
 * @param keysCache where the development keys would be if circuits never changed, see {@link #keys}
 * @param kafkaLibrary the broker's jars
 * @param authorities N = 3f+1
 * @param shards of each authority
 */
public record SandboxOptions(Path data, Path keysCache, Path kafkaLibrary, Ports ports, int authorities, int shards) {
  public static final String NETWORK = "solidus-dev";

  /** The development keys of the circuits of this build; keys of an earlier build stay beside them. */
  public Path keys() {
    return DevelopmentKeys.directory(keysCache, new NetworkId(NETWORK), NetworkKind.REGULATED);
  }

  public Path secrets() {
    return data.resolve("secrets");
  }

  public Path stateFile() {
    return data.resolve("sandbox.json");
  }
}
