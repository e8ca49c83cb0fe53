package io.solidus.dev.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files of the source tree that tests read, whatever the working directory is. */
public final class RepositoryFiles {
  private static final String VECTORS = "prover-native/vectors";

  private RepositoryFiles() {}

  /** The tree's root: the nearest parent folder with both prover-native and services. */
  public static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("prover-native"))
          && Files.isDirectory(at.resolve("services"))) {
        return at;
      }
    }
    throw new IllegalStateException("the test does not run inside the source tree");
  }

  /** The jars of a Kafka broker, which the module sandbox-kafka gathers. */
  public static Path kafkaLibrary() {
    return root().resolve("services/dev/sandbox-kafka/target/lib");
  }

  /** The known-answer vectors of {@code prover-native/vectors/NAME.json}, shared by Go and Java. */
  public static JsonNode vectors(String name) {
    try {
      return JsonMapper.shared()
          .readTree(Files.readAllBytes(root().resolve(VECTORS).resolve(name + ".json")));
    } catch (IOException e) {
      throw new UncheckedIOException("no vectors " + name, e);
    }
  }
}
