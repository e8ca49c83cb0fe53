package io.solidus.dev.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
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

/** The allowed dependencies between modules and trust domains, checked in all compiled classes. */
class ArchitectureTest {
  private static final Path REPOSITORY = Path.of("../../..").toAbsolutePath().normalize();
  private static final String ROOT = "io.solidus.";
  private static final String SHARE = ROOT + "prover.Share";

  private static final Set<String> LIB =
      Set.of("protocol", "wire", "prover", "platform", "networkkeys", "retrieval");
  private static final Set<String> DEVELOPMENT = Set.of("dev", "loadtest");

  /**
   * Each package root with the roots it may depend on. No other roots exist. A service depends on
   * libraries, and on the listed modules of its own trust domain. There is no dependency between
   * authority, operator, edge and wallet, none between shard and signer, and none on dev.
   */
  private static final Map<String, Set<String>> ALLOWED = new TreeMap<>();

  static {
    ALLOWED.put("protocol", Set.of());
    ALLOWED.put("wire", Set.of("protocol"));
    ALLOWED.put("prover", Set.of("protocol"));
    ALLOWED.put("platform", Set.of("protocol", "wire"));
    ALLOWED.put("networkkeys", Set.of("protocol", "prover", "platform"));
    ALLOWED.put("retrieval", Set.of("protocol"));
    ALLOWED.put("authority.spend", Set.of("protocol", "prover"));
    ALLOWED.put("authority.common", with("authority.spend"));
    ALLOWED.put("authority.custody", Set.of("protocol", "prover"));
    ALLOWED.put("authority.shard", with("authority.spend", "authority.common"));
    ALLOWED.put(
        "authority.signer", with("authority.spend", "authority.common", "authority.custody"));
    ALLOWED.put("authority.complianceissuer", with("authority.common"));
    ALLOWED.put("authority.replica", LIB);
    ALLOWED.put("operator.names", Set.of());
    ALLOWED.put("operator.registration", with("operator.names"));
    ALLOWED.put("operator.sanctions", with("operator.names"));
    ALLOWED.put("operator.issuance", LIB);
    ALLOWED.put("operator.approver", Set.of("protocol", "wire"));
    ALLOWED.put("operator.console", Set.of("protocol", "wire", "platform"));
    ALLOWED.put("edge.gateway", LIB);
    ALLOWED.put("edge.prover", LIB);
    ALLOWED.put("edge.relay", LIB);
    ALLOWED.put("wallet", Set.of("protocol", "wire", "prover", "retrieval"));
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
  void rootsHaveOnlyAllowedDependencies(String root) {
    Set<String> roots = ALLOWED.getOrDefault(root, Set.of());
    DescribedPredicate<JavaClass> allowed =
        DescribedPredicate.describe(
            "belong to " + roots + " or to a library outside this repository",
            type ->
                !isIn(type, "io.solidus")
                    || isIn(type, ROOT + root)
                    || roots.stream().anyMatch(other -> isIn(type, ROOT + other)));
    classes()
        .that()
        .resideInAPackage(ROOT + root + "..")
        .should()
        .onlyDependOnClassesThat(allowed)
        .check(compiled);
  }

  static Stream<String> roots() {
    return ALLOWED.keySet().stream();
  }

  @Test
  void everyClassBelongsToARoot() {
    classes()
        .should()
        .resideInAnyPackage(
            Stream.concat(ALLOWED.keySet().stream(), DEVELOPMENT.stream())
                .map(root -> ROOT + root + "..")
                .toArray(String[]::new))
        .check(compiled);
  }

  @Test
  void protocolDependsOnTheJdkAndEd25519Only() {
    classes()
        .that()
        .resideInAPackage(ROOT + "protocol..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "protocol..", "java..", "org.jspecify..", "org.bouncycastle.math.ec.rfc8032..")
        .check(compiled);
  }

  @Test
  void spendHasNoSpringNoSqlAndNoGrpc() {
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

  /** The share of an authority's key is an object of the native library, which all services use. */
  @Test
  void onlySignerAndCustodyUseAKeyShare() {
    classes()
        .that()
        .resideInAnyPackage(
            ROOT + "authority..", ROOT + "operator..", ROOT + "edge..", ROOT + "wallet..")
        .and()
        .resideOutsideOfPackages(ROOT + "authority.signer..", ROOT + "authority.custody..")
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe("are no key share", type -> !type.getName().equals(SHARE)))
        .check(compiled);
    assertThat(compiled.contain(SHARE)).isTrue();
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.solidus.(**)").should().beFreeOfCycles().check(compiled);
  }

  /** A class lies in a module of the trust domain that its package names. */
  @Test
  void foldersOfModulesAreTheDomainsOfTheirPackages() throws IOException {
    for (Path module : modules()) {
      String domain = domain(module);
      Set<String> roots = domain.equals("lib") ? LIB : Set.of(domain);
      Path folder = module.resolve("target/classes");
      if (Files.isDirectory(folder)) {
        assertThat(new ClassFileImporter().importPath(folder))
            .as(module.toString())
            .allMatch(type -> roots.stream().anyMatch(root -> isIn(type, ROOT + root)));
      }
    }
  }

  /** Also a dependency that no class uses would be part of a shipped image. */
  @Test
  void shippedModulesBringOnlyTheirOwnDomainAndLibraries() throws IOException {
    Map<String, String> domains = new TreeMap<>();
    for (Path module : modules()) {
      domains.put(artifact(module), domain(module));
    }
    assertThat(domains)
        .containsEntry("solidus-sandbox", "dev")
        .containsEntry("solidus-forge", "loadtest")
        .containsEntry("solidus-gateway", "edge")
        .containsEntry("solidus-protocol", "lib");
    for (Path module : modules()) {
      String own = domain(module);
      if (!DEVELOPMENT.contains(own)) {
        assertThat(dependencies(module))
            .as(module.toString())
            .extracting(domains::get)
            .isSubsetOf(own, "lib");
      }
    }
  }

  /** A list of what belongs to banks says whose rows it reads. */
  @Test
  void listsAreOfABank() {
    List<JavaMethod> lists =
        Stream.of("registration.cases", "issuance.funding", "issuance.mint", "issuance.redemption")
            .flatMap(
                name -> compiled.stream().filter(type -> isIn(type, ROOT + "operator." + name)))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> Set.of("page", "alerts").contains(method.getName()))
            .toList();
    assertThat(lists).hasSizeGreaterThan(8);
    assertThat(lists)
        .allMatch(method ->
            method.getRawParameterTypes().stream()
                .anyMatch(type -> type.getName().equals(ROOT + "platform.bank.BankScope")));
  }

  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(?:(?!</dependency>).)*</dependency>", Pattern.DOTALL);
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(solidus-[a-z-]+)</artifactId>");

  /** Artifacts of this repository that a module brings along at run time. */
  private static List<String> dependencies(Path module) throws IOException {
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

  /**
   * The trust domain of a module's folder: lib, authority, operator, edge, wallet, dev, loadtest.
   */
  private static String domain(Path module) {
    Path path = REPOSITORY.relativize(module);
    return switch (path.getName(0).toString()) {
      case "services" -> path.getName(1).toString();
      case "prover-native" -> "lib";
      default -> path.getName(0).toString();
    };
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
