package io.solidus.operator.sanctions.screening;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.Samples;
import io.solidus.operator.sanctions.screening.Perturbation.Listed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./solidus bench screening}: prints what {@link ScreeningBench} measures. It is no test of
 * the suite, which has no published lists.
 */
class ScreeningBenchmark {
  /** The cultures whose shares the JSON has. */
  private static final Set<CommonNames> REPORTED =
      Set.of(CommonNames.ARABIC, CommonNames.HISPANIC, CommonNames.WEST_EUROPEAN);

  private static final Path DATA =
      Path.of(System.getProperty("solidus.bench.data", "../../../../shared/data"));

  @Test
  void measures() throws Exception {
    List<CSVRecord> pairs = rows(DATA.resolve("screening/name_bench_cases.csv"));
    ScreeningBench bench =
        new ScreeningBench(
            entries(ListId.UN, "solidus.bench.un-list", "un*.xml"),
            entries(ListId.OFAC, "solidus.bench.ofac-list", "*sdn*.csv"),
            aliases(),
            otherScripts(pairs));
    List<Listed> persons = bench.persons();
    assertThat(persons).as("persons in the lists").isNotEmpty();
    Map<String, Object> result = measure(bench, persons);
    print("labelled pairs of persons: " + PairShares.of(pairs));
    print("alternate names of OFAC by the primary name: " + bench.alternates(1000));
    for (String file : List.of("negatives_global.csv", "negatives_us.csv")) {
      List<CSVRecord> negatives = rows(DATA.resolve("screening/" + file));
      print(
          file
              + ": flagged without a date "
              + bench.negatives(asked(negatives, false))
              + ", with it "
              + bench.negatives(asked(negatives, true)));
    }
    print(
        "milliseconds of CPU per name against 100 changed entries: "
            + bench.cpuMillisPerNameOfDelta(100));
    String json = JsonMapper.builder().build().writeValueAsString(result);
    print(json);
    String file = System.getProperty("solidus.bench.json", "");
    if (!file.isEmpty()) {
      Files.writeString(Path.of(file), json + "\n");
    }
  }

  private static Map<String, Object> measure(ScreeningBench bench, List<Listed> persons) {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("letterReplaced", found(bench, Perturbation.LETTER_REPLACED, persons));
    found.put("letterDeleted", found(bench, Perturbation.LETTER_DELETED, persons));
    found.put("initial", found(bench, Perturbation.INITIAL, persons));
    found.put("firstTwoJoined", found(bench, Perturbation.FIRST_TWO_JOINED, persons));
    found.put(
        "twoErrors", share("two errors, with a date of birth", persons, bench::foundWithDate));
    found.put("transposed", found(bench, Perturbation.TRANSPOSED, persons));
    Map<String, Object> flagged = new LinkedHashMap<>();
    for (CommonNames culture : CommonNames.values()) {
      ScreeningBench.Share share = bench.flagged(culture);
      print("common names flagged, " + culture.id() + ": " + share);
      if (REPORTED.contains(culture)) {
        flagged.put(culture.id(), share.value());
      }
    }
    ScreeningBench.Share scripts = new ScreeningBench.Share(0, 0);
    for (Map.Entry<String, ScreeningBench.Share> script : bench.otherScripts().entrySet()) {
      print("found by " + script.getKey() + ": " + script.getValue());
      scripts =
          new ScreeningBench.Share(
              scripts.found() + script.getValue().found(), scripts.of() + script.getValue().of());
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("found", found);
    result.put("flagged", flagged);
    result.put("otherScripts", scripts.value());
    result.put("cpuMillisPerName", bench.cpuMillisPerName());
    return result;
  }

  private static double found(ScreeningBench bench, Perturbation change, List<Listed> persons) {
    return share(
        "found, " + change.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        persons,
        chosen -> bench.found(change, chosen));
  }

  private interface Measure {
    ScreeningBench.Share of(List<Listed> persons);
  }

  /** The share of all; prints also that of the half that was not looked at. */
  private static double share(String title, List<Listed> persons, Measure measure) {
    ScreeningBench.Share all = measure.of(persons);
    ScreeningBench.Share held =
        measure.of(persons.stream().filter(ScreeningBench::heldOut).toList());
    print(title + ": " + all + ", of the half held out " + held);
    return all.value();
  }

  /** How many labelled pairs are told right. */
  private record PairShares(int same, int found, int correct) {
    static PairShares of(List<CSVRecord> pairs) {
      int same = 0;
      int found = 0;
      int correct = 0;
      for (CSVRecord row : pairs) {
        if (row.get("schema").equals("Person")) {
          boolean is = Boolean.parseBoolean(row.get("is_match"));
          boolean says = ScreeningBench.matches(row.get("name1"), row.get("name2"));
          same += is ? 1 : 0;
          found += says ? 1 : 0;
          correct += is && says ? 1 : 0;
        }
      }
      return new PairShares(same, found, correct);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "precision %.2f, recall %.2f",
          (double) correct / Math.max(1, found),
          (double) correct / Math.max(1, same));
    }
  }

  private static List<OriginalNames.Pair> otherScripts(List<CSVRecord> pairs) {
    List<OriginalNames.Pair> others = new ArrayList<>();
    Predicate<String> latin = ScreeningBench::isLatin;
    for (CSVRecord row : pairs) {
      boolean first = latin.test(row.get("name1"));
      if (row.get("schema").equals("Person")
          && Boolean.parseBoolean(row.get("is_match"))
          && first != latin.test(row.get("name2"))) {
        others.add(
            first
                ? new OriginalNames.Pair(row.get("name2"), row.get("name1"))
                : new OriginalNames.Pair(row.get("name1"), row.get("name2")));
      }
    }
    return others;
  }

  private static List<Asked> asked(List<CSVRecord> persons, boolean withDate) {
    return persons.stream()
        .map(row ->
            Asked.person(row.get("full_name"), withDate ? date(row.get("date_of_birth")) : null))
        .toList();
  }

  private static @Nullable LocalDate date(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static List<ListedEntry> entries(ListId list, String property, String pattern)
      throws Exception {
    String named = System.getProperty(property, "");
    Path file = named.isEmpty() ? only(DATA.resolve("sanctions"), pattern) : Path.of(named);
    return Samples.parse(list, Files.readAllBytes(file)).entries();
  }

  /** The alternate names belong to the other list: another list has none unless they are named. */
  private static List<ListedEntry> aliases() throws Exception {
    boolean otherList = !System.getProperty("solidus.bench.ofac-list", "").isEmpty();
    boolean named = !System.getProperty("solidus.bench.ofac-alt-list", "").isEmpty();
    return otherList && !named
        ? List.of()
        : entries(ListId.OFAC_ALT, "solidus.bench.ofac-alt-list", "*alt*.csv");
  }

  private static Path only(Path folder, String pattern) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
      return files.iterator().next();
    }
  }

  private static List<CSVRecord> rows(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, format)) {
      return parser.getRecords();
    }
  }

  private static void print(String line) {
    System.out.println(line);
  }
}
