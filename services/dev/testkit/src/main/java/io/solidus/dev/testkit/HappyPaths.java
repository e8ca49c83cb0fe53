package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds the answers of running services against docs/reference/api, and asks which calls succeeded.
 *
 * <p>services/dev/testkit/happy-paths.txt has a line for every call of every document: which of the
 * two tests that compare answers makes it succeed, or both.
 */
public final class HappyPaths {
  private static final Path LIST =
      RepositoryFiles.root().resolve("services/dev/testkit/happy-paths.txt");
  private static final Set<String> TESTS = Set.of("story", "fuzz");
  private static final Set<String> SERVICES =
      Set.of("gateway", "registration", "sanctions", "issuance");

  private final Map<String, ApiAnswers> answers = new TreeMap<>();

  /** No call has succeeded yet. */
  public HappyPaths() throws IOException {
    Path documents = RepositoryFiles.root().resolve("docs/reference/api");
    for (String service : SERVICES) {
      String document = Files.readString(documents.resolve(service + ".json"));
      answers.put(service, new ApiAnswers(JsonMapper.shared().readTree(document)));
    }
  }

  /** The answers of a service: gateway, registration, sanctions or issuance. */
  public ApiAnswers of(String service) {
    ApiAnswers found = answers.get(service);
    if (found == null) {
      throw new IllegalArgumentException(service);
    }
    return found;
  }

  /**
   * Fails when a call that this test makes succeed, after the list, did not succeed, or when the
   * list has other calls than the documents.
   *
   * @param test story or fuzz
   */
  public void requireSucceeded(String test) throws IOException {
    Map<String, String> list = list();
    assertThat(list.keySet()).as("the calls in " + LIST).isEqualTo(names(true));
    assertThat(list.values().stream().flatMap(line -> tests(line).stream()))
        .as("the tests in " + LIST)
        .isSubsetOf(TESTS);
    Set<String> expected =
        list.entrySet().stream()
            .filter(line -> tests(line.getValue()).contains(test))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(expected).as("calls of " + test).isNotEmpty();
    expected.retainAll(names(false));
    assertThat(expected).as("calls that never succeeded").isEmpty();
  }

  /** The calls that have succeeded, such as {@code gateway POST /v1/transfers}. */
  public Set<String> succeeded() {
    Set<String> all = names(true);
    all.removeAll(names(false));
    return all;
  }

  /** The codes of the refusals of all services. */
  public Set<String> codes() {
    return answers.values().stream()
        .flatMap(described -> described.codes().stream())
        .collect(Collectors.toSet());
  }

  /**
   * Whether a call has succeeded.
   *
   * @param name such as {@code gateway POST /v1/transfers}
   */
  public boolean hasSucceeded(String name) {
    return !names(false).contains(name);
  }

  private Set<String> names(boolean all) {
    Set<String> names = new TreeSet<>();
    answers.forEach((service, described) ->
        (all ? described.operations() : described.neverSucceeded())
            .forEach(operation -> names.add(service + " " + operation)));
    return names;
  }

  private static Set<String> tests(String line) {
    return Set.of(line.split(", ", -1));
  }

  private static Map<String, String> list() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(": ", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }
}
