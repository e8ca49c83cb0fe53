package io.solidus.dev.acceptance;

import io.solidus.dev.testkit.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of docs/reference/metrics.md, to compare with the metrics of a process. */
final class MetricsReference {
  private static final String OWN = "solidus_";
  private static final int MOST_SERIES = 400;
  private static final Pattern ROW =
      Pattern.compile(
          "\\| `([a-z_0-9]+)` \\| (counter|gauge|summary|histogram) \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|.*");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_A-Z0-9:]+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_0-9]+)=\"(?:[^\"\\\\]|\\\\.)*\"");

  /**
   * A row of the tables.
   *
   * @param always whether a process of these services exposes the metric from its start
   */
  private record Row(String type, Set<String> labels, Set<String> services, boolean always) {}

  private static final class Family {
    private final String type;
    private final Set<String> labels = new TreeSet<>();
    private int series;

    Family(String type) {
      this.type = type;
    }
  }

  private final Map<String, Row> rows = new TreeMap<>();

  private MetricsReference() {}

  static MetricsReference read() throws IOException {
    MetricsReference reference = new MetricsReference();
    for (String line :
        Files.readAllLines(RepositoryFiles.root().resolve("docs/reference/metrics.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        reference.rows.put(
            row.group(1),
            new Row(
                row.group(2),
                words(row.group(3).replace("`", "")),
                words(row.group(4)),
                row.group(5).strip().equals("always")));
      }
    }
    return reference;
  }

  private static Set<String> words(String list) {
    return Arrays.stream(list.split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The differences between the metrics of a process and the reference. */
  List<String> differences(String service, String exposed) {
    Map<String, Family> families = families(exposed);
    List<String> differences = new ArrayList<>();
    families.forEach((name, family) -> {
      Row row = rows.get(name);
      if (row == null) {
        if (name.startsWith(OWN)) {
          differences.add(
              service
                  + " exposes "
                  + name
                  + " ("
                  + family.type
                  + " "
                  + family.labels
                  + "), which the reference does not have");
        }
        return;
      }
      if (!row.type.equals(family.type) || !row.labels.containsAll(family.labels)) {
        differences.add(
            service
                + " exposes "
                + name
                + " as "
                + family.type
                + " "
                + family.labels
                + ", the reference has "
                + row);
      }
      if (!row.services.contains(service) && !row.services.contains("all")) {
        differences.add("the reference does not say that " + service + " exposes " + name);
      }
      if (name.startsWith(OWN) && family.series > MOST_SERIES) {
        differences.add(service + " has " + family.series + " series of " + name);
      }
    });
    rows.forEach((name, row) -> {
      if (row.always
          && (row.services.contains(service) || row.services.contains("all"))
          && !families.containsKey(name)) {
        differences.add(service + " does not expose " + name);
      }
    });
    return differences;
  }

  /** The metrics by name; the maximum of a timer is part of the timer. */
  private static Map<String, Family> families(String exposed) {
    Map<String, Family> families = new TreeMap<>();
    Family current = new Family("");
    for (String line : exposed.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        current = new Family(type.group(2));
        families.put(type.group(1), current);
      } else if (sample.matches() && sample.group(2) != null) {
        Matcher label = LABEL.matcher(sample.group(2));
        while (label.find()) {
          current.labels.add(label.group(1));
        }
        current.series++;
      }
    }
    families.values().forEach(family -> family.labels.removeAll(Set.of("le", "quantile")));
    List<String> timers =
        families.entrySet().stream()
            .filter(f -> Set.of("summary", "histogram").contains(f.getValue().type))
            .map(Map.Entry::getKey)
            .toList();
    timers.forEach(name -> families.remove(name + "_max"));
    return families;
  }
}
