package io.solidus.forge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shipped does not contain the forge: services may use it in their tests, and that is all. */
class ShippedModulesTest {
  private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(?:(?!</dependency>).)*</dependency>", Pattern.DOTALL);

  @Test
  void noServiceDependsOnTheForge() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("..", "..", "services"))) {
      List<Path> poms = modules.map(module -> module.resolve("pom.xml")).filter(Files::exists).toList();
      assertThat(poms).hasSizeGreaterThan(10);
      for (Path pom : Stream.concat(poms.stream(), Stream.of(Path.of("..", "..", "prover-native", "java", "pom.xml"))).toList()) {
        assertThat(shipped(pom)).as(pom.toString()).isEmpty();
      }
    }
  }

  private static List<String> shipped(Path pom) throws IOException {
    return DEPENDENCY
        .matcher(Files.readString(pom))
        .results()
        .map(match -> match.group())
        .filter(dependency -> dependency.contains("solidus-forge") && !dependency.contains("<scope>test</scope>"))
        .toList();
  }
}
