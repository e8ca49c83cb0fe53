package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.BaseBackup;
import io.solidus.dev.processes.LogicalBackup;
import io.solidus.dev.processes.Measurement;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.load.SeededRandom;
import io.solidus.loadtest.chaos.load.SigningClient;
import io.solidus.loadtest.chaos.load.Traffic;
import io.solidus.loadtest.chaos.load.Transfer;
import io.solidus.loadtest.chaos.load.Wallet;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One authority of four loses its database under load and gets it back from each kind of backup.
 * Requirements: while its database is older than its sign-log, it signs nothing and reports that,
 * and the others continue. After {@code RecoverApplication} it signs again, with the same bytes for
 * everything that it had signed, and refuses a second transfer of a serial number that its restored
 * database did not hold.
 */
final class RestoreDrill implements AutoCloseable {

  private static final int DRILLED = 4;
  private static final String SIGNER = "signer";
  private static final List<Integer> ALONE = List.of(DRILLED);
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration REST = Duration.ofMinutes(4);
  private static final long ATTACK_SECONDS = 4;
  private static final long CHEAT_MINOR = 10_000;
  private static final String NEEDS_RESTART = "solidus.signer.log.status state=needs-restart";
  private static final String READY = "solidus.signer.ready.status";
  private static final Pattern RECOVERED =
      Pattern.compile("recovered: (\\d+) records, (\\d+) serial numbers were missing");
  private static final Pattern STANDSTILL = Pattern.compile("NOTHING IS SIGNED until [^:]*: (.*)");

  /**
   * The options of the drill.
   *
   * @param fresh minimum number of signatures between backup and loss
   * @param paid minimum number of transfers that the others finish while it refuses
   * @param thinkMillis mean pause of a wallet between two transfers
   */
  record Options(
      long seed, List<RestoreCase> cases, int fresh, int paid, long thinkMillis, Path folder) {}

  private final Options options;
  private final Path archive;
  private final DrillFixture fixture;
  private final Traffic traffic;
  private final List<Wallet> cheats = new ArrayList<>();
  private final SeededRandom random;
  private final List<Map<String, Object>> outcomes = new ArrayList<>();

  private RestoreDrill(Options options) {
    this.options = options;
    this.archive = folder(options.folder().resolve("archive"));
    this.fixture =
        new DrillFixture(
            options.folder(), Set.of(DRILLED), BaseBackup.archiving(archive, 10), Map.of());
    this.random = new SeededRandom(options.seed(), "cheat");
    this.traffic =
        new Traffic(
            fixture.network,
            fixture.ledger,
            fixture.client,
            fixture.history,
            new Traffic.Plan(options.seed(), new ChaosOptions.Crowd(7, 0, options.thinkMillis())));
  }

  static DrillReport run(Options options) throws InterruptedException {
    Console.say("seed %d: starting %d authorities", options.seed(), DrillFixture.AUTHORITIES);
    try (RestoreDrill drill = new RestoreDrill(options)) {
      return drill.run();
    }
  }

  private DrillReport run() throws InterruptedException {
    long start = System.nanoTime();
    Map<String, String> skipped = new LinkedHashMap<>();
    traffic.start();
    Await.until("first transfers are finished", LONG, () -> fixture.history.finished() >= 5);
    for (RestoreCase each : options.cases()) {
      if (each == RestoreCase.DUMP && PostgresServer.installation().isEmpty()) {
        skipped.put(
            each.label(), "no PostgreSQL with pg_dump was named; the embedded one has none");
        Console.say("SKIPPED %s: %s", each.label(), skipped.get(each.label()));
      } else {
        drill(each);
      }
    }
    Console.say("waiting for transfers under way");
    traffic.finish(REST);
    long repeated = fixture.askAgain();
    long worth = traffic.worthMinor() + cheats.stream().mapToLong(Wallet::worth).sum();
    Verdict verdict = fixture.judge(worth, traffic.unsettled());
    return new DrillReport(
        "restore",
        options.seed(),
        (System.nanoTime() - start) / 1e9,
        fixture.history.finished(),
        fixture.tap.all().size(),
        repeated,
        fixture.history.refusalCounts(),
        Map.of("cases", outcomes, "skipped", skipped, "postgres", postgres()),
        verdict);
  }

  private void drill(RestoreCase each) throws InterruptedException {
    Map<String, Object> outcome = new LinkedHashMap<>();
    outcome.put("case", each.label());
    Console.say("%s: a backup of authority %d, then payments", each.label(), DRILLED);
    AuthorityProcesses authority = fixture.authority(DRILLED);
    long begun = System.nanoTime();
    Restorer backup = backup(each, outcome);
    outcome.put("backupSeconds", seconds(begun));
    long before = fixture.signatures(DRILLED);
    Wallet cheat = new Wallet(fixture.network, fixture.ledger, random, CHEAT_MINOR);
    cheats.add(cheat);
    Transfer signed = draft(cheat);
    Transfer doubled = draft(cheat);
    fixture.require(
        ask(signed).signed().containsKey(DRILLED),
        "%s: the authority did not sign before its loss",
        each.label());
    Await.until(
        "the authority has signed more",
        LONG,
        () -> fixture.signatures(DRILLED) >= before + options.fresh());

    authority.names().forEach(authority::kill);
    backup.lose();
    TimeUnit.MILLISECONDS.sleep(200);
    long known = fixture.signatures(DRILLED);
    Console.say("%s: the authority is gone, its database is restored", each.label());
    begun = System.nanoTime();
    backup.restore();
    outcome.put("restoreSeconds", seconds(begun));

    begun = System.nanoTime();
    if (each == RestoreCase.LATEST) {
      authority.launch();
      authority.awaitReady();
    } else {
      outcome.put("refused", refuseAndRecover(each, doubled, known, outcome));
    }
    long moment = System.nanoTime();
    Await.until("the authority signs again", LONG, () -> fixture.tap.signedSince(DRILLED, moment));
    outcome.put("signsAgainAfterSeconds", seconds(begun));
    Console.say(
        "%s: it signs again; now the same bytes for its earlier signature, and no second transfer",
        each.label());
    fixture.require(
        ask(signed).signed().containsKey(DRILLED),
        "%s: a signature from before the loss was not repeated",
        each.label());
    RejectionCode refusal = ask(doubled).refusals().get(DRILLED);
    fixture.require(
        refusal == RejectionCode.SERIAL_CONFLICT,
        "%s: a second transfer of a coin was answered with %s after the restore",
        each.label(),
        String.valueOf(refusal));
    outcomes.add(outcome);
  }

  /**
   * @return the signer's reason for each state in which log and database disagreed
   */
  private List<String> refuseAndRecover(
      RestoreCase each, Transfer doubled, long known, Map<String, Object> outcome)
      throws InterruptedException {
    AuthorityProcesses authority = fixture.authority(DRILLED);
    List<String> reasons = new ArrayList<>();
    authority.launch();
    authority.awaitReady();
    boolean behind = each != RestoreCase.ARCHIVE;
    if (behind) {
      long moment = System.nanoTime();
      reasons.add(standstill(each, "rolled back"));
      attack(each, doubled);
      Await.until(
          "the others continue",
          LONG,
          () -> fixture.history.finishedOfThoseBegunAfter(moment) >= options.paid());
      outcome.put("paidMeanwhile", fixture.history.finishedOfThoseBegunAfter(moment));
    }
    authority.stop(SIGNER);
    if (each == RestoreCase.OLD_BACKUP) {
      byte[] newLog = read(authority.signLog());
      delete(authority.signLog());
      reasons.add(startsInVain(each, "does not hold the anchored record"));
      refusesToRecover(each, "without its log");
      write(authority.signLog(), asOldAsTheDatabase(newLog));
      reasons.add(startsInVain(each, "rolled back together"));
      refusesToRecover(each, "from an older log");
      write(authority.signLog(), newLog);
    }
    fixture.require(
        !behind || fixture.signatures(DRILLED) == known,
        "%s: %d signatures left an authority with an old database",
        each.label(),
        fixture.signatures(DRILLED) - known);
    long begun = System.nanoTime();
    fixture.require(
        authority.recover(),
        "%s: the recovery failed; see %s",
        each.label(),
        authority.log("recover"));
    outcome.put("recoverSeconds", seconds(begun));
    Optional<Matcher> said = last(authority.log("recover"), RECOVERED);
    said.ifPresent(found -> {
      outcome.put("logRecords", Long.parseLong(found.group(1)));
      outcome.put("serialsMissing", Long.parseLong(found.group(2)));
    });
    fixture.require(
        said.isPresent() && (!behind || Long.parseLong(said.get().group(2)) > 0),
        "%s: the recovery added no serial numbers",
        each.label());
    authority.start(SIGNER);
    return reasons;
  }

  /** The log cut to the state of the restored database, as a snapshot of both leaves it. */
  private byte[] asOldAsTheDatabase(byte[] log) {
    PostgresServer database = fixture.database(DRILLED);
    try (Connection connection = database.connect(fixture.authority(DRILLED).databaseName());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT sequence FROM authority.sign_log_anchor")) {
      row.next();
      ByteBuffer frames = ByteBuffer.wrap(log);
      for (long record = 0; record < row.getLong(1); record++) {
        int length = Short.toUnsignedInt(frames.getShort());
        frames.position(frames.position() + length + Digest32.BYTES);
      }
      return Arrays.copyOf(log, frames.position());
    } catch (SQLException e) {
      throw new IllegalStateException("the restored database cannot be read", e);
    }
  }

  private String startsInVain(RestoreCase each, String expected) {
    fixture.authority(DRILLED).start(SIGNER);
    String reason = standstill(each, expected);
    fixture.authority(DRILLED).stop(SIGNER);
    return reason;
  }

  private void refusesToRecover(RestoreCase each, String what) {
    fixture.require(
        !fixture.authority(DRILLED).recover(), "%s: the recovery succeeded %s", each.label(), what);
  }

  /**
   * Waits until the signer reports in its metrics, which an alert watches, and in its log that it
   * needs an operator.
   */
  private String standstill(RestoreCase each, String expected) {
    AuthorityProcesses authority = fixture.authority(DRILLED);
    Await.until("the signer needs a restart", LONG, () -> value(authority, NEEDS_RESTART) == 1);
    fixture.require(
        value(authority, READY) == 0, "%s: the signer reports that it is ready", each.label());
    String reason = last(authority.log(SIGNER), STANDSTILL).map(found -> found.group(1)).orElse("");
    fixture.require(
        reason.contains(expected), "%s: the signer's reason is \"%s\"", each.label(), reason);
    Console.say("%s: refused: %s", each.label(), reason);
    return reason;
  }

  private static double value(AuthorityProcesses authority, String metric) {
    return Optional.ofNullable(authority.timers(SIGNER).get(metric))
        .map(Measurement::total)
        .orElse(Double.NaN);
  }

  /** While the database lacks the first transfer, the second must not be signed. */
  private void attack(RestoreCase each, Transfer doubled) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ATTACK_SECONDS);
    SigningClient.Result result =
        fixture.client.collect(
            doubled, ALONE, soFar -> !soFar.signed().isEmpty(), () -> System.nanoTime() - end > 0);
    fixture.require(
        result.signed().isEmpty(),
        "%s: an authority with an old database signed a second transfer of a coin",
        each.label());
  }

  private Transfer draft(Wallet cheat) {
    Transfer transfer = cheat.draft(new Wallet.Intent(cheat, 1, 0, List.of()));
    fixture.ledger.drafted(transfer);
    return transfer;
  }

  /** Sends a transfer until the authority has given a final answer. */
  private SigningClient.Result ask(Transfer transfer) throws InterruptedException {
    long end = System.nanoTime() + LONG.toNanos();
    return fixture.client.collect(
        transfer,
        ALONE,
        soFar -> soFar.signed().size() + soFar.refusals().size() == 1,
        () -> System.nanoTime() - end > 0);
  }

  private interface Restorer {
    void lose();

    void restore();
  }

  private Restorer backup(RestoreCase each, Map<String, Object> outcome) {
    PostgresServer database = fixture.database(DRILLED);
    Path to = options.folder().resolve("backup-" + each.label());
    if (each == RestoreCase.DUMP) {
      String name = fixture.authority(DRILLED).databaseName();
      LogicalBackup dump =
          LogicalBackup.take(PostgresServer.installation().orElseThrow(), database, name, to);
      outcome.put("backupBytes", dump.bytes());
      return restorer(() -> {}, () -> dump.restore(database, name));
    }
    BaseBackup base = BaseBackup.take(database, to, true);
    outcome.put("backupBytes", base.bytes());
    BaseBackup.Until until =
        each == RestoreCase.OLD_BACKUP ? BaseBackup.Until.BACKUP : BaseBackup.Until.END;
    return restorer(
        database::kill, () -> base.restore(database, archive, until, each == RestoreCase.LATEST));
  }

  private static Restorer restorer(Runnable lose, Runnable restore) {
    return new Restorer() {
      @Override
      public void lose() {
        lose.run();
      }

      @Override
      public void restore() {
        restore.run();
      }
    };
  }

  private String postgres() {
    return PostgresServer.installation().map(Path::toString).orElse("the embedded one");
  }

  @Override
  public void close() {
    traffic.close();
    fixture.close();
  }

  private static double seconds(long since) {
    return Math.round((System.nanoTime() - since) / 1e8) / 10.0;
  }

  private static Optional<Matcher> last(Path log, Pattern pattern) {
    Optional<Matcher> last = Optional.empty();
    for (String line : new String(read(log), StandardCharsets.UTF_8).lines().toList()) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        last = Optional.of(matcher);
      }
    }
    return last;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, byte[] bytes) {
    try {
      Path made = file.resolveSibling(file.getFileName() + ".restored");
      Files.write(made, bytes);
      Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
