package io.solidus.sandbox;

import java.nio.file.Path;

/**
 * @param data databases, broker, secrets, wallets of the demo; kept between starts
 * @param keys the cached development keys
 * @param kafkaLibrary the broker's jars
 * @param authorities N = 3f+1
 * @param shards of each authority
 */
public record SandboxOptions(Path data, Path keys, Path kafkaLibrary, Ports ports, int authorities, int shards) {
  public static final String NETWORK = "solidus-dev";

  public Path secrets() {
    return data.resolve("secrets");
  }

  public Path stateFile() {
    return data.resolve("sandbox.json");
  }
}
