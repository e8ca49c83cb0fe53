package io.solidus.loadtest.bench;

import io.solidus.loadtest.bench.MailboxDay.Bucket;
import io.solidus.loadtest.forge.MachineDescription;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.wallet.mailbox.ParcelCipher;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench mailbox}: what a day of mail costs a wallet and a server, as it is today and with
 * buckets and private retrieval (docs/adr/0069). One thread, no network, no sealing of queries.
 */
@Command(
    name = "mailbox",
    mixinStandardHelpOptions = true,
    description = "A day of mail for many wallets: scanning headers, private retrieval of bodies.")
final class MailboxCommand implements Callable<Integer> {
  private static final int HOURS = 24;
  private static final double DAY_MILLIS = 86_400_000;

  /** A message as wallets read it today: base64 in JSON, with its number (scripts/size.py). */
  private static final int MESSAGE_JSON_BYTES = 1630;

  /** Messages that are scanned in turn with others that are opened. */
  private static final int CHUNK = 250;

  private static final long GOAL_BYTES = 3_000_000;
  private static final double GOAL_MILLIS = 5_000;

  @Option(names = "--wallets", defaultValue = "1000000", description = "of the network")
  private int wallets;

  @Option(names = "--messages", defaultValue = "2000000", description = "a day")
  private int messages;

  @Option(names = "--buckets", defaultValue = "64", description = "of addresses")
  private int buckets;

  @Option(names = "--queries", defaultValue = "24", description = "of each wallet and day")
  private int queries;

  @Option(names = "--authorities", defaultValue = "10", description = "that keep the tables")
  private int authorities;

  @Option(names = "--servers", defaultValue = "4", description = "of one query: f+1")
  private int servers;

  @Option(
      names = "--batches",
      split = ",",
      defaultValue = "1,2,4,8,16,32,64",
      description = "queries that a server answers at once")
  private List<Integer> batches = List.of();

  @Option(
      names = "--tables",
      defaultValue = "288",
      description = "that a bucket's day has in a replica's files")
  private int tablesADay;

  @Option(names = "--rounds", defaultValue = "9", description = "of each batch")
  private int rounds;

  @Option(names = "--seed", defaultValue = "mailbox", description = "of wallets and messages")
  private String seed = "";

  @Mixin private ReportFiles files = new ReportFiles();

  /** Milliseconds of a core for one message. */
  private record Scan(double open, double detect, int found) {}

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("solidus-mailbox");
    try {
      return measure(folder);
    } finally {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private int measure(Path folder) throws IOException {
    Random random = new Random(seed.hashCode());
    double loadBefore = load();
    MailboxDay day = new MailboxDay(wallets, messages, buckets, random);
    int own = Math.max(1, messages / wallets);
    Report.say("sealing the %d messages of a bucket", day.mostMessages());
    Bucket bucket = Bucket.of(day.mostMessages(), own, random);
    Report.say("reading them");
    Scan scan = scan(bucket);
    int hour = Math.max(1, messages / HOURS);
    RetrievalMeasurement ofBucket =
        measurement("a day of a bucket", List.of(new RetrievalTable(bucket.messages())));
    RetrievalMeasurement ofAll =
        measurement(
            "an hour of all",
            List.of(RetrievalMeasurement.randomTable(hour, ParcelCipher.BLOB_BYTES, random)));
    RetrievalMeasurement ofHour =
        measurement(
            "an hour of a bucket",
            List.of(
                RetrievalMeasurement.randomTable(
                    Math.max(1, hour / buckets), ParcelCipher.BLOB_BYTES, random)));
    RetrievalMeasurement allOnDisk =
        measurement("an hour of all, from a file", files(folder.resolve("hour"), hour, 1, random));
    RetrievalMeasurement bucketOnDisk =
        measurement(
            "a day of a bucket, from files",
            files(folder.resolve("day"), day.mostMessages(), tablesADay, random));
    List<RetrievalMeasurement> tables = List.of(ofAll, ofBucket, ofHour, allOnDisk, bucketOnDisk);
    long read = bucket.own().stream().filter(place -> bucket.opens(ofBucket.read(place))).count();
    Report.say("retrieving");
    for (int round = 0; round <= rounds; round++) {
      for (RetrievalMeasurement each : tables) {
        batches.forEach(each::round);
      }
      if (round == 0) {
        tables.forEach(RetrievalMeasurement::forget); // the compiler's round
      }
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("machine", MachineDescription.describe());
    report.put("wallets", wallets);
    report.put("messages", messages);
    report.put("buckets", buckets);
    report.put("queriesADay", queries);
    report.put("authorities", authorities);
    report.put("rounds", rounds);
    report.put("distribution", day.report());
    report.put("openMillis", Report.round(scan.open()));
    report.put("detectMillis", Report.round(scan.detect()));
    report.put("ownMessages", bucket.own().size());
    report.put("ownFound", scan.found());
    report.put("ownRead", read);
    report.put("retrieval", tables.stream().map(RetrievalMeasurement::report).toList());
    List<Map<String, Object>> schemes = schemes(scan, ofAll, ofBucket);
    report.put("schemes", schemes);
    report.put("loadBefore", Report.round(loadBefore));
    report.put("loadAfter", Report.round(load()));
    files.writeFigures(report);
    files.writeChart(chart(tables));
    boolean right = scan.found() == bucket.own().size() && read == bucket.own().size();
    return right && Boolean.TRUE.equals(schemes.getLast().get("withinGoal")) ? 0 : 1;
  }

  private RetrievalMeasurement measurement(String name, List<RetrievalTable> tables) {
    return new RetrievalMeasurement(name, tables, servers);
  }

  private static List<RetrievalTable> files(Path file, int records, int tables, Random random)
      throws IOException {
    return RetrievalMeasurement.fileTables(file, records, tables, ParcelCipher.BLOB_BYTES, random);
  }

  /** Opens all messages as wallets do today and scans their headers, in turn. */
  private static Scan scan(Bucket bucket) {
    List<String> texts =
        bucket.messages().stream().map(Base64.getUrlEncoder()::encodeToString).toList();
    List<Double> open = new ArrayList<>();
    List<Double> detect = new ArrayList<>();
    int found = 0;
    for (int first = 0; first < texts.size(); first += CHUNK) {
      int end = Math.min(texts.size(), first + CHUNK);
      int size = end - first;
      double begun = CpuTime.ofThisThread();
      int opened =
          count(first, end, i -> bucket.opens(Base64.getUrlDecoder().decode(texts.get(i))));
      double between = CpuTime.ofThisThread();
      int detected = count(first, end, i -> bucket.detects(bucket.messages().get(i)));
      double after = CpuTime.ofThisThread();
      open.add((between - begun) / size);
      detect.add((after - between) / size);
      found += Math.min(opened, detected);
    }
    return new Scan(RetrievalMeasurement.median(open), RetrievalMeasurement.median(detect), found);
  }

  private static int count(int first, int end, Predicate<Integer> matches) {
    return (int) IntStream.range(first, end).filter(matches::test).count();
  }

  /**
   * A wallet's day and the servers' in each scheme; today's is the first, the chosen one the last.
   */
  private List<Map<String, Object>> schemes(
      Scan scan, RetrievalMeasurement ofAll, RetrievalMeasurement ofBucket) {
    double inBucket = (double) messages / buckets;
    double header = ParcelCipher.HEADER_BYTES;
    List<Map<String, Object>> rows = new ArrayList<>();
    rows.add(row("today", (double) messages * MESSAGE_JSON_BYTES, messages * scan.open(), null));
    rows.add(row("all headers", messages * header, messages * scan.detect(), null));
    rows.add(
        row("bucket, whole", inBucket * ParcelCipher.BLOB_BYTES, inBucket * scan.open(), null));
    rows.add(row("bucket, headers", inBucket * header, inBucket * scan.detect(), null));
    for (RetrievalMeasurement table : List.of(ofAll, ofBucket)) {
      rows.add(
          row(
              "bucket, headers; retrieval from " + table.name(),
              inBucket * header + (double) queries * (table.bytesUp() + table.bytesDown()),
              inBucket * scan.detect() + queries * table.walletMillis(),
              table));
    }
    double bytesToday = number(rows.getFirst().get("walletBytes"));
    double millisToday = number(rows.getFirst().get("walletCpuMillis"));
    for (Map<String, Object> row : rows) {
      row.put("timesFewerBytes", Report.round(bytesToday / number(row.get("walletBytes"))));
      row.put("timesLessCpu", Report.round(millisToday / number(row.get("walletCpuMillis"))));
      Report.say(
          "%-48s %9.2f MB, %8.2f s of a wallet a day",
          Objects.requireNonNullElse(row.get("scheme"), ""),
          number(row.get("walletBytes")) / 1e6,
          number(row.get("walletCpuMillis")) / 1e3);
    }
    return rows;
  }

  private Map<String, Object> row(
      String scheme, double bytes, double millis, @Nullable RetrievalMeasurement table) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("scheme", scheme);
    row.put("walletBytes", Math.round(bytes));
    row.put("walletCpuMillis", Report.round(millis));
    row.put("gigabitsPerSecondOfAll", Report.round(wallets * bytes * 8 / DAY_MILLIS / 1e6));
    if (table != null) {
      for (int batch : table.batches()) {
        double each = (double) wallets * queries * servers / authorities;
        row.put(
            "coresOfAnAuthorityWith" + batch + "AtOnce",
            Report.round(each * table.millis(batch) / DAY_MILLIS));
      }
    }
    row.put("withinGoal", bytes <= GOAL_BYTES && millis <= GOAL_MILLIS);
    return row;
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static Chart chart(List<RetrievalMeasurement> tables) {
    return new Chart(
        "Private retrieval at one server",
        "processor time of a query by the number of queries that are answered at once, one core",
        "queries at once",
        "milliseconds",
        null,
        true,
        tables.stream()
            .map(table ->
                new Chart.Series(
                    table.name(),
                    false,
                    table.batches().stream().map(Integer::doubleValue).toList(),
                    table.batches().stream().map(table::millis).toList(),
                    null))
            .toList(),
        List.of());
  }
}
