package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.GatewayProcess;
import io.solidus.dev.processes.Measurement;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.oracle.Verdict;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces every process by one of the next build, one after the other, while payments arrive at a
 * fixed rate: SIGTERM, then a new process with one more migration of each schema. The next process
 * follows when every gateway has received signatures of the new one. At the end one shard goes back
 * to the previous build on the newer schema. No payment may fail, no connection may break, and no
 * signature may be lost.
 */
final class UpgradeDrill implements AutoCloseable {

  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration REST = Duration.ofMinutes(4);
  private static final int IN_A_ROW = 8;
  private static final String NEXT = "V99999__drill_next.sql";

  /** Changes that an expanding migration may make; the previous build must keep working. */
  private static final Map<String, String> MIGRATIONS =
      Map.of(
          "db/validator/authority",
              "ALTER TABLE policies ADD COLUMN drill_next text;\nCREATE TABLE drill_next (id bigint PRIMARY KEY);\n",
          "db/validator/shard",
              "ALTER TABLE cores ADD COLUMN drill_next text;\nALTER TABLE serials ADD COLUMN drill_next smallint NOT NULL DEFAULT 0;\n",
          "db/gateway", "CREATE TABLE drill_next (id bigint PRIMARY KEY);\n");

  /** The values of production; the other tests use shorter ones. */
  private static final Map<String, String> GRACE =
      Map.of(
          "spring.lifecycle.timeout-per-shutdown-phase",
          "20s",
          "spring.grpc.server.shutdown.grace-period",
          "10s");

  /**
   * The options of the drill.
   *
   * @param rolled authorities whose processes are replaced
   * @param apart those of them with a process for the signer and each shard
   * @param perSecond payments that arrive
   */
  record Options(
      long seed,
      Set<Integer> rolled,
      Set<Integer> apart,
      double perSecond,
      int crowd,
      Path folder) {}

  private final Options options;
  private final DrillFixture fixture;
  private final List<GatewayProcess> gateways;
  private final List<Map<String, Object>> steps = new ArrayList<>();
  private final String old =
      System.getProperty(AuthorityProcesses.CLASS_PATH, System.getProperty("java.class.path"));
  private final String next;

  private UpgradeDrill(Options options) {
    this.options = options;
    this.next =
        nextBuild(options.folder().resolve("next"))
            + File.pathSeparator
            + System.getProperty("java.class.path");
    this.fixture = new DrillFixture(options.folder(), options.apart(), Map.of(), GRACE);
    this.gateways = fixture.startGateways();
  }

  static DrillReport run(Options options) throws InterruptedException {
    Console.say(
        "seed %d: starting %d authorities and %d gateways",
        options.seed(), DrillFixture.AUTHORITIES, DrillFixture.GATEWAYS);
    try (UpgradeDrill drill = new UpgradeDrill(options)) {
      return drill.run();
    }
  }

  private DrillReport run() throws InterruptedException {
    long start = System.nanoTime();
    try (GatewayLoad load =
        new GatewayLoad(fixture, gateways, options.perSecond(), options.crowd(), options.seed())) {
      Await.until("first payments are finished", LONG, () -> load.counts().finished() >= 5);
      for (int index : options.rolled().stream().sorted().toList()) {
        AuthorityProcesses authority = fixture.authority(index);
        authority.use(next);
        for (String name : authority.names()) {
          replace(authority, name, "next", load);
        }
      }
      for (GatewayProcess gateway : gateways) {
        replace(gateway, load);
      }
      AuthorityProcesses back =
          fixture.authority(options.rolled().stream().sorted().toList().getFirst());
      back.use(old);
      replace(back, back.names().getLast(), "before", load);
      Console.say("everything is replaced; waiting for payments under way");
      GatewayLoad.Counts counts = load.finish(REST);
      return judge(load, counts, start);
    }
  }

  private DrillReport judge(GatewayLoad load, GatewayLoad.Counts counts, long start)
      throws InterruptedException {
    fixture.require(counts.failed() == 0, "%d payments failed", counts.failed());
    fixture.require(counts.broken() == 0, "%d connections broke", counts.broken());
    fixture.require(
        counts.unserved() == 0,
        "%d payments found no idle wallet: too few wallets, or payments took too long",
        counts.unserved());
    fixture.require(
        counts.begun() == counts.finished(),
        "%d of %d payments finished",
        counts.finished(),
        counts.begun());
    options
        .rolled()
        .forEach(index -> fixture.require(migrated(index), "authority %d has not migrated", index));
    long repeated = fixture.askAgain();
    Verdict verdict = fixture.judge(load.worthMinor(), 0);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("perSecond", options.perSecond());
    figures.put("payments", counts.begun());
    figures.put("finished", counts.finished());
    figures.put("failed", counts.failed());
    figures.put("brokenConnections", counts.broken());
    figures.put("retries", counts.retries());
    figures.put("steps", steps);
    return new DrillReport(
        "upgrade",
        options.seed(),
        (System.nanoTime() - start) / 1e9,
        fixture.history.finished(),
        fixture.tap.all().size(),
        repeated,
        fixture.history.refusalCounts(),
        figures,
        verdict);
  }

  private void replace(AuthorityProcesses authority, String name, String build, GatewayLoad load) {
    String what = name + " of authority " + authority.index();
    Map<String, Object> step = begin(what, build, load);
    long begun = System.nanoTime();
    fixture.require(authority.terminate(name), "%s had to be killed", what);
    step.put("stoppedAfterSeconds", seconds(begun));
    authority.start(name);
    fixture.cluster.awaitServing(authority);
    gateways.forEach(gateway -> awaitAnswers(gateway, authority.index()));
    step.put("inServiceAfterSeconds", seconds(begun));
  }

  /**
   * Waits until a gateway has received several signatures of an authority in a row, before the next
   * process stops.
   */
  private static void awaitAnswers(GatewayProcess gateway, int authority) {
    long end = System.nanoTime() + LONG.toNanos();
    while (System.nanoTime() - end < 0) {
      Answers before = Answers.of(gateway, authority);
      Await.until(
          gateway.name() + " has signatures of authority " + authority,
          LONG,
          () -> Answers.of(gateway, authority).signed() >= before.signed() + IN_A_ROW);
      if (Answers.of(gateway, authority).others() == before.others()) {
        return;
      }
    }
    throw new IllegalStateException(
        gateway.name() + " does not get steady answers of authority " + authority);
  }

  /** A gateway's counts of the answers of an authority. */
  private record Answers(double signed, double others) {
    static Answers of(GatewayProcess gateway, int authority) {
      double signed = 0;
      double others = 0;
      for (Map.Entry<String, Measurement> each : gateway.timers().entrySet()) {
        if (each.getKey()
            .startsWith("solidus.gateway.authority.answers authority=" + authority + ",")) {
          if (each.getKey().endsWith("outcome=signed")) {
            signed += each.getValue().total();
          } else {
            others += each.getValue().total();
          }
        }
      }
      return new Answers(signed, others);
    }
  }

  private void replace(GatewayProcess gateway, GatewayLoad load) {
    Map<String, Object> step = begin(gateway.name(), "next", load);
    long begun = System.nanoTime();
    load.takeOut(gateway);
    fixture.require(gateway.terminate(), "%s had to be killed", gateway.name());
    step.put("stoppedAfterSeconds", seconds(begun));
    gateway.use(next);
    gateway.start();
    load.putIn(gateway);
    step.put("inServiceAfterSeconds", seconds(begun));
  }

  private Map<String, Object> begin(String what, String build, GatewayLoad load) {
    GatewayLoad.Counts counts = load.counts();
    Console.say(
        "%s: replaced by the build %s; %d payments finished, %d failed",
        what, build, counts.finished(), counts.failed());
    Map<String, Object> step = new LinkedHashMap<>();
    step.put("replaced", what);
    step.put("build", build);
    steps.add(step);
    return step;
  }

  /** Whether the migrations of the next build ran in every schema of the authority. */
  private boolean migrated(int index) {
    List<String> schemas = new ArrayList<>(List.of("authority"));
    for (int shard = 0; shard < DrillFixture.SHARDS; shard++) {
      schemas.add("shard_" + shard);
    }
    try (Connection connection =
            fixture.database(index).connect(fixture.authority(index).databaseName());
        Statement statement = connection.createStatement()) {
      for (String schema : schemas) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM "
                    + schema
                    + ".flyway_schema_history WHERE version = '99999' AND success")) {
          row.next();
          if (row.getLong(1) != 1) {
            return false;
          }
        }
      }
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the migrations of authority " + index + " cannot be read", e);
    }
  }

  private static String nextBuild(Path folder) {
    try {
      for (Map.Entry<String, String> migration : MIGRATIONS.entrySet()) {
        Path place = Files.createDirectories(folder.resolve(migration.getKey()));
        Files.writeString(
            place.resolve(NEXT),
            "-- expand: a release that does not exist\n" + migration.getValue());
      }
      return folder.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    gateways.forEach(GatewayProcess::close);
    fixture.close();
  }

  private static double seconds(long since) {
    return Math.round((System.nanoTime() - since) / 1e8) / 10.0;
  }
}
