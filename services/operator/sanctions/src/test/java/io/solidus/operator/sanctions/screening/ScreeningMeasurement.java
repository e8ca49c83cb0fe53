package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.Samples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Measures recall and precision of the name screening on labelled names. It is a program and not a
 * test; run it with the class path of this module's tests.
 *
 * <p>The first argument is a folder with {@code name_bench_cases.csv} (columns schema, name1,
 * name2, is_match) and {@code negatives_*.csv} (column full_name), as in the screening data of
 * OpenSanctions. The second is a folder with {@code un*.xml}, {@code *sdn*.csv} and {@code
 * *alt*.csv} as their publishers provide them.
 */
final class ScreeningMeasurement {
  private static final double THRESHOLD = 0.82;
  private static final Set<EntryKind> ALL = EnumSet.of(EntryKind.INDIVIDUAL, EntryKind.ENTITY);

  private ScreeningMeasurement() {}

  public static void main(String[] folders) throws Exception {
    Path labelled = Path.of(folders[0]);
    Path lists = Path.of(folders[1]);
    List<CSVRecord> pairs = rows(labelled.resolve("name_bench_cases.csv"));
    comparePairs("persons", pairs, row -> row.get("schema").equals("Person"));
    comparePairs("organisations", pairs, row -> !row.get("schema").equals("Person"));
    comparePairs(
        "one name Latin, the other not",
        pairs,
        row -> isLatin(row.get("name1")) != isLatin(row.get("name2")));
    comparePairs(
        "no name Latin", pairs, row -> !isLatin(row.get("name1")) && !isLatin(row.get("name2")));
    List<ListedEntry> un = entries(lists, "un*.xml", ListId.UN);
    searchOriginalScripts(un);

    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    un.forEach(entry -> builder.add(ListId.UN, entry));
    entries(lists, "*sdn*.csv", ListId.OFAC).forEach(entry -> builder.add(ListId.OFAC, entry));
    entries(lists, "*alt*.csv", ListId.OFAC_ALT)
        .forEach(entry -> builder.addAliases(ListId.OFAC, entry));
    ScreeningIndex index = builder.build();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(labelled, "negatives_*.csv")) {
      for (Path file : files) {
        countFalseAlarms(index, file);
      }
    }
  }

  /** Searches the first name of each pair in a list that has only the second. */
  private static void comparePairs(
      String title, List<CSVRecord> pairs, Predicate<CSVRecord> selected) {
    int same = 0;
    int found = 0;
    int correct = 0;
    for (CSVRecord row : pairs.stream().filter(selected).toList()) {
      ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
      builder.add(ListId.UN, person("1", List.of(row.get("name2"))));
      boolean isMatch = Boolean.parseBoolean(row.get("is_match"));
      boolean isFound =
          !builder.build().search(row.get("name1"), null, ALL, THRESHOLD, 1).isEmpty();
      same += isMatch ? 1 : 0;
      found += isFound ? 1 : 0;
      correct += isMatch && isFound ? 1 : 0;
    }
    print(
        "pairs, %s: recall %.3f (%d of %d), precision %.3f (%d of %d)",
        title, (double) correct / same, correct, same, (double) correct / found, correct, found);
  }

  /** Searches names in their original script in a list that has only the Latin ones. */
  private static void searchOriginalScripts(List<ListedEntry> listed) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    List<ListedEntry> persons =
        listed.stream()
            .filter(entry -> entry.kind() == EntryKind.INDIVIDUAL)
            .filter(entry -> entry.names().stream().anyMatch(ScreeningMeasurement::isLatin))
            .toList();
    for (ListedEntry entry : persons) {
      List<String> latin = entry.names().stream().filter(ScreeningMeasurement::isLatin).toList();
      builder.add(ListId.UN, person(entry.reference(), latin));
    }
    ScreeningIndex index = builder.build();
    int questions = 0;
    int found = 0;
    long others = 0;
    for (ListedEntry entry : persons) {
      for (String name : entry.names()) {
        if (!isLatin(name)) {
          List<String> references =
              index.search(name, null, ALL, THRESHOLD, 100).stream().map(Match::reference).toList();
          questions++;
          found += references.contains(entry.reference()) ? 1 : 0;
          others += references.stream().filter(r -> !r.equals(entry.reference())).count();
        }
      }
    }
    print(
        "names in their original script, only Latin ones listed: recall %.3f (%d of %d), %d matches"
            + " of other persons",
        (double) found / questions, found, questions, others);
  }

  private static void countFalseAlarms(ScreeningIndex index, Path file) throws IOException {
    List<CSVRecord> persons = rows(file);
    Set<EntryKind> kinds = EnumSet.of(EntryKind.INDIVIDUAL);
    long start = System.nanoTime();
    long alarms =
        persons.stream()
            .filter(row -> !index.search(row.get("full_name"), null, kinds, THRESHOLD, 1).isEmpty())
            .count();
    print(
        "%s: %d of %d persons match an entry of the lists, %.1f ms for each search",
        file.getFileName(),
        alarms,
        persons.size(),
        (System.nanoTime() - start) / 1e6 / persons.size());
  }

  private static ListedEntry person(String reference, List<String> names) {
    return new ListedEntry(reference, EntryKind.INDIVIDUAL, names, List.of(), List.of());
  }

  private static boolean isLatin(String name) {
    return name.codePoints()
        .filter(Character::isLetter)
        .mapToObj(Character.UnicodeScript::of)
        .allMatch(script ->
            script == Character.UnicodeScript.LATIN || script == Character.UnicodeScript.COMMON);
  }

  private static List<ListedEntry> entries(Path folder, String pattern, ListId list)
      throws Exception {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
      return Samples.parse(list, Files.readAllBytes(found.iterator().next())).entries();
    }
  }

  private static List<CSVRecord> rows(Path file) throws IOException {
    CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, format)) {
      return parser.getRecords();
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the formats are the literals above
  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
