package io.solidus.dev.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the folders of the repository as trust domains: which module may know which, over
 * everything that is compiled.
 */
class ArchitectureTest {
  private static final Path REPOSITORY = Path.of("../../..").toAbsolutePath().normalize();
  private static final String ROOT = "io.solidus.";

  private static final Set<String> LIB =
      Set.of("protocol", "wire", "prover", "platform", "networkkeys");

  /**
   * Every package root and the roots it may import; nothing else exists. A service knows the
   * libraries and, inside its own domain, what stands here. There is no arrow between authority,
   * operator, edge and wallet, none between shard and signer, none into dev.
   */
  private static final Map<String, Set<String>> ARROWS = new TreeMap<>();

  static {
    ARROWS.put("protocol", Set.of());
    ARROWS.put("wire", Set.of("protocol"));
    ARROWS.put("prover", Set.of("protocol"));
    ARROWS.put("platform", Set.of("protocol", "wire"));
    ARROWS.put("networkkeys", Set.of("protocol", "prover", "platform"));
    ARROWS.put("authority.spend", Set.of("protocol", "prover"));
    ARROWS.put("authority.common", with("authority.spend"));
    ARROWS.put("authority.custody", Set.of("protocol", "prover"));
    ARROWS.put("authority.shard", with("authority.spend", "authority.common"));
    ARROWS.put(
        "authority.signer", with("authority.spend", "authority.common", "authority.custody"));
    ARROWS.put("authority.complianceissuer", with("authority.common"));
    ARROWS.put("operator.registration", LIB);
    ARROWS.put("operator.sanctions", LIB);
    ARROWS.put("operator.issuance", LIB);
    ARROWS.put("edge.gateway", LIB);
    ARROWS.put("edge.prover", LIB);
    ARROWS.put("wallet", Set.of("protocol", "wire", "prover"));
  }

  private static JavaClasses compiled;

  @BeforeAll
  static void read() throws IOException {
    List<Path> folders = new ArrayList<>();
    for (Path module : modules()) {
      if (Files.isDirectory(module.resolve("src/main/java"))) {
        assertThat(module.resolve("target/classes")).as("compile everything first").isDirectory();
        folders.add(module.resolve("target/classes"));
      }
    }
    compiled = new ClassFileImporter().importPaths(folders);
  }

  @ParameterizedTest
  @MethodSource("roots")
  void knowsOnlyWhatItMay(String root) {
    DescribedPredicate<JavaClass> allowed =
        DescribedPredicate.describe(
            "belong to " + ARROWS.get(root) + " or to no module of ours",
            type ->
                !isIn(type, "io.solidus")
                    || isIn(type, ROOT + root)
                    || ARROWS.get(root).stream().anyMatch(other -> isIn(type, ROOT + other)));
    classes()
        .that()
        .resideInAPackage(ROOT + root + "..")
        .should()
        .onlyDependOnClassesThat(allowed)
        .check(compiled);
  }

  static Stream<String> roots() {
    return ARROWS.keySet().stream();
  }

  @Test
  void everyClassBelongsToARoot() {
    classes()
        .should()
        .resideInAnyPackage(
            Stream.concat(ARROWS.keySet().stream(), Stream.of("dev", "loadtest"))
                .map(root -> ROOT + root + "..")
                .toArray(String[]::new))
        .check(compiled);
  }

  @Test
  void theDomainKnowsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage(ROOT + "protocol..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + "protocol..", "java..", "org.jspecify..")
        .check(compiled);
  }

  @Test
  void theSpendPipelineHasNoSpringNoSqlAndNoGrpc() {
    classes()
        .that()
        .resideInAPackage(ROOT + "authority.spend..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "authority.spend..",
            ROOT + "protocol..",
            ROOT + "prover..",
            "java.lang..",
            "java.time..",
            "java.util..",
            "java.math..",
            "org.jspecify..",
            "org.slf4j..")
        .check(compiled);
  }

  @Test
  void noPackagesGoInCircles() {
    slices().matching("io.solidus.(**)").should().beFreeOfCycles().check(compiled);
  }

  @Test
  void nobodyShipsWhatIsMadeForDevelopment() throws IOException {
    Set<String> unshipped = new TreeSet<>();
    for (Path module : modules()) {
      if (isForDevelopment(module)) {
        unshipped.add(artifact(module));
      }
    }
    assertThat(unshipped).contains("solidus-sandbox", "solidus-dishonest-wallet", "solidus-forge");
    for (Path module : modules()) {
      if (!isForDevelopment(module)) {
        assertThat(shipped(module)).as(module.toString()).doesNotContainAnyElementsOf(unshipped);
      }
    }
  }

  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(?:(?!</dependency>).)*</dependency>", Pattern.DOTALL);
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(solidus-[a-z-]+)</artifactId>");

  /** Our artifacts that a module brings with it when it is used. */
  private static List<String> shipped(Path module) throws IOException {
    return DEPENDENCY
        .matcher(Files.readString(module.resolve("pom.xml")))
        .results()
        .map(match -> match.group())
        .filter(dependency -> !dependency.contains("<scope>test</scope>"))
        .flatMap(dependency -> ARTIFACT.matcher(dependency).results().map(match -> match.group(1)))
        .toList();
  }

  private static String artifact(Path module) throws IOException {
    return ARTIFACT
        .matcher(Files.readString(module.resolve("pom.xml")))
        .results()
        .map(match -> match.group(1))
        .filter(name -> !name.equals("solidus-parent"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isForDevelopment(Path module) {
    String path = REPOSITORY.relativize(module).toString();
    return path.startsWith("services/dev/") || path.startsWith("loadtest/");
  }

  private static List<Path> modules() throws IOException {
    return Pattern.compile("<module>([^<]+)</module>")
        .matcher(Files.readString(REPOSITORY.resolve("pom.xml")))
        .results()
        .map(match -> REPOSITORY.resolve(match.group(1)))
        .toList();
  }

  private static Set<String> with(String... more) {
    Set<String> all = new TreeSet<>(LIB);
    all.addAll(List.of(more));
    return all;
  }

  private static boolean isIn(JavaClass type, String name) {
    return type.getPackageName().equals(name) || type.getPackageName().startsWith(name + ".");
  }
}
