package io.solidus.loadtest.bench;

import io.solidus.retrieval.FileRecords;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.RetrievalWindow;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What one server does for queries of a table, by the number of queries that it answers at once.
 */
final class RetrievalMeasurement {
  /** What HPKE adds to a share: an encapsulated key and a tag. Sealing itself is not measured. */
  private static final int SEAL_OF_SHARE = 32 + 16;

  /** What sealing adds to an answer under the context's key: a nonce and a tag. */
  private static final int SEAL_OF_ANSWER = 12 + 16;

  private final String name;
  private final RetrievalWindow window;
  private final List<Integer> records;
  private final int recordBytes;
  private final int servers;
  private final SecureRandom random = new SecureRandom();

  /** Milliseconds of one query, of each round: by the size of the batch. */
  private final Map<Integer, List<Double>> wall = new TreeMap<>();

  private final Map<Integer, List<Double>> cpu = new TreeMap<>();
  private final List<Double> wallet = new ArrayList<>();

  /**
   * @param tables that each query is for
   */
  RetrievalMeasurement(String name, List<RetrievalTable> tables, int servers) {
    this.name = name;
    this.window = new RetrievalWindow(tables);
    this.records = tables.stream().map(RetrievalTable::records).toList();
    this.recordBytes = tables.getFirst().recordBytes();
    this.servers = servers;
  }

  /** One server answers a batch of queries, and a wallet makes and combines as many. */
  void round(int batch) {
    double begun = CpuTime.ofThisThread();
    List<RetrievalQuery> queries =
        IntStream.range(0, batch)
            .mapToObj(
                i -> RetrievalQuery.of(anyPlace(), RetrievalWindow.size(records), servers, random))
            .toList();
    double made = CpuTime.ofThisThread();
    List<QueryShare> shares = queries.stream().map(query -> query.shares().getFirst()).toList();
    double before = CpuTime.ofThisThread();
    long started = System.nanoTime();
    List<byte[]> answers = RetrievalWindow.answers(shares.stream().map(window::ask).toList());
    double millis = (System.nanoTime() - started) / 1e6;
    double after = CpuTime.ofThisThread();
    for (int i = 0; i < batch; i++) {
      byte[] any = answers.get(i);
      queries.get(i).combine(IntStream.range(0, servers).mapToObj(s -> any).toList(), any.length);
    }
    double combined = CpuTime.ofThisThread();
    wall.computeIfAbsent(batch, key -> new ArrayList<>()).add(millis / batch);
    cpu.computeIfAbsent(batch, key -> new ArrayList<>()).add((after - before) / batch);
    wallet.add((made - begun + combined - after) / batch);
  }

  /** Drops what was measured so far. */
  void forget() {
    wall.clear();
    cpu.clear();
    wallet.clear();
  }

  private int anyPlace() {
    int table = random.nextInt(records.size());
    return RetrievalWindow.place(records, table, random.nextInt(records.get(table)));
  }

  /** Reads one record of the first table from all servers. */
  byte[] read(int index) {
    RetrievalQuery query =
        RetrievalQuery.of(
            RetrievalWindow.place(records, 0, index),
            RetrievalWindow.size(records),
            servers,
            random);
    return query.combine(
        query.shares().stream()
            .map(share -> window.answer(QueryShare.decode(share.encode())))
            .toList(),
        recordBytes);
  }

  /** Bytes from the wallet to all servers for one query, sealed. */
  int bytesUp() {
    return RetrievalQuery.of(0, RetrievalWindow.size(records), servers, random).shares().stream()
        .mapToInt(share -> share.encode().length + SEAL_OF_SHARE)
        .sum();
  }

  /** Bytes from all servers to the wallet. */
  int bytesDown() {
    return servers * (recordBytes + SEAL_OF_ANSWER);
  }

  /** Processor milliseconds of one server for one query in a batch of this size, the median. */
  double millis(int batch) {
    return median(cpu.getOrDefault(batch, List.of()));
  }

  /** Processor milliseconds of the wallet for one query, without sealing. */
  double walletMillis() {
    return median(wallet);
  }

  List<Integer> batches() {
    return List.copyOf(cpu.keySet());
  }

  String name() {
    return name;
  }

  Map<String, Object> report() {
    List<Map<String, Object>> rows = new ArrayList<>();
    cpu.keySet()
        .forEach(batch -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("queriesAtOnce", batch);
          row.put("cpuMillis", Report.round(millis(batch)));
          row.put("wallMillis", Report.round(median(wall.getOrDefault(batch, List.of()))));
          row.put("leastCpuMillis", Report.round(least(cpu.getOrDefault(batch, List.of()))));
          row.put("gigabytesPerSecond", Report.round(bytes() / millis(batch) / 1e6));
          rows.add(row);
          Report.say(
              "  %-30s %3d at once: %7.3f ms of a core each, %6.1f GB/s",
              name, batch, millis(batch), bytes() / millis(batch) / 1e6);
        });
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("table", name);
    report.put("tables", records.size());
    report.put("records", sum(records));
    report.put("bytes", (long) bytes());
    report.put("servers", servers);
    report.put("bytesUp", bytesUp());
    report.put("bytesDown", bytesDown());
    report.put("walletCpuMillis", Report.round(walletMillis()));
    report.put("oneServer", rows);
    return report;
  }

  private double bytes() {
    return (double) sum(records) * recordBytes;
  }

  private static int sum(List<Integer> records) {
    return records.stream().mapToInt(Integer::intValue).sum();
  }

  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private static double least(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
  }

  /** A table of random records, which cost what messages cost. */
  static RetrievalTable randomTable(int records, int recordBytes, Random content) {
    byte[][] rows = new byte[records][recordBytes];
    Arrays.stream(rows).forEach(content::nextBytes);
    return new RetrievalTable(List.of(rows));
  }

  /**
   * Tables of random records in one file, as a replica has them on disk; the page cache holds what
   * was just written.
   *
   * @param records of all tables
   */
  static List<RetrievalTable> fileTables(
      Path file, int records, int tables, int recordBytes, Random content) throws IOException {
    List<RetrievalTable> made = new ArrayList<>();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      long at = 0;
      for (int i = 0; i < tables; i++) {
        int its =
            Math.max(1, (int) ((long) records * (i + 1) / tables - (long) records * i / tables));
        byte[] words = new byte[(int) RetrievalTable.storedBytes(its, recordBytes)];
        content.nextBytes(words);
        out.write(words);
        made.add(new RetrievalTable(its, recordBytes, new FileRecords(file, at)));
        at += words.length;
      }
    }
    return made;
  }
}
