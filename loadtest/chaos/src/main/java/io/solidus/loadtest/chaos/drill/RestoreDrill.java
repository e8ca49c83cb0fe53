package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.DatabaseBackup;
import io.solidus.dev.processes.DatabaseServer;
import io.solidus.dev.processes.LogicalBackup;
import io.solidus.dev.processes.Measured;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.load.Collector;
import io.solidus.loadtest.chaos.load.Draws;
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
 * One authority of four loses its database under load and gets it back from a backup, in every way
 * there is. What is wanted: while its database is older than its sign-log it signs nothing, says
 * so, and the others go on; after {@code RecoverApplication} it signs again, the same bytes for
 * what it signed before, and refuses to spend again what it signed for and its database had
 * forgotten.
 */
final class RestoreDrill implements AutoCloseable {

  private static final int DRILLED = 4;
  private static final String SIGNER = "signer";
  private static final List<Integer> ALONE = List.of(DRILLED);
  private static final Duration LONG = Duration.ofSeconds(180);
  private static final Duration REST = Duration.ofSeconds(240);
  private static final long ATTACK_SECONDS = 4;
  private static final long CHEAT_MINOR = 10_000;
  private static final String NEEDS_RESTART = "solidus.signer.log.status state=needs-restart";
  private static final String READY = "solidus.signer.ready.status";
  private static final Pattern RECOVERED =
      Pattern.compile("recovered: (\\d+) records, (\\d+) serial numbers were missing");
  private static final Pattern STANDSTILL = Pattern.compile("NOTHING IS SIGNED until [^:]*: (.*)");

  /**
   * What is drilled.
   *
   * @param fresh signatures the authority gives between its backup and its loss, at least
   * @param paid transfers that the others have to finish while it refuses, at least
   */
  record Options(long seed, List<RestoreCase> cases, int fresh, int paid, Path folder) {}

  private final Options options;
  private final Path archive;
  private final Rehearsal rehearsal;
  private final Traffic traffic;
  private final List<Wallet> cheats = new ArrayList<>();
  private final Draws draws;
  private final List<Map<String, Object>> outcomes = new ArrayList<>();

  private RestoreDrill(Options options) {
    this.options = options;
    this.archive = folder(options.folder().resolve("archive"));
    this.rehearsal =
        new Rehearsal(
            options.folder(), Set.of(DRILLED), DatabaseBackup.archiving(archive, 10), Map.of());
    this.draws = new Draws(options.seed(), "cheat");
    this.traffic =
        new Traffic(
            rehearsal.realm,
            rehearsal.book,
            rehearsal.collector,
            rehearsal.history,
            new Traffic.Plan(options.seed(), new ChaosOptions.Crowd(7, 0, 200)));
  }

  static DrillReport run(Options options) throws InterruptedException {
    Console.say("seed %d: starting %d authorities", options.seed(), Rehearsal.AUTHORITIES);
    try (RestoreDrill drill = new RestoreDrill(options)) {
      return drill.run();
    }
  }

  private DrillReport run() throws InterruptedException {
    long start = System.nanoTime();
    Map<String, String> skipped = new LinkedHashMap<>();
    traffic.start();
    Await.until("first transfers are finished", LONG, () -> rehearsal.history.finished() >= 5);
    for (RestoreCase each : options.cases()) {
      if (each == RestoreCase.DUMP && DatabaseServer.installation().isEmpty()) {
        skipped.put(
            each.label(),
            "no PostgreSQL with pg_dump was named; the one that comes along has none");
        Console.say("SKIPPED %s: %s", each.label(), skipped.get(each.label()));
      } else {
        drill(each);
      }
    }
    Console.say("what is under way has to finish");
    traffic.finish(REST);
    long repeated = rehearsal.askAgain();
    long worth = traffic.worthMinor() + cheats.stream().mapToLong(Wallet::worth).sum();
    Verdict verdict = rehearsal.judge(worth, traffic.unsettled());
    return new DrillReport(
        "restore",
        options.seed(),
        (System.nanoTime() - start) / 1e9,
        rehearsal.history.finished(),
        rehearsal.tap.all().size(),
        repeated,
        rehearsal.history.refusalCounts(),
        Map.of("cases", outcomes, "skipped", skipped, "postgres", postgres()),
        verdict);
  }

  private void drill(RestoreCase each) throws InterruptedException {
    Map<String, Object> outcome = new LinkedHashMap<>();
    outcome.put("case", each.label());
    Console.say("%s: a backup of authority %d, then payments", each.label(), DRILLED);
    AuthorityProcesses authority = rehearsal.authority(DRILLED);
    long begun = System.nanoTime();
    Restorer backup = backup(each, outcome);
    outcome.put("backupSeconds", seconds(begun));
    long before = rehearsal.signatures(DRILLED);
    Wallet cheat = new Wallet(rehearsal.realm, rehearsal.book, draws, CHEAT_MINOR);
    cheats.add(cheat);
    Transfer signed = draft(cheat);
    Transfer doubled = draft(cheat);
    rehearsal.require(
        ask(signed).signed().containsKey(DRILLED),
        "%s: the authority did not sign before its loss",
        each.label());
    Await.until(
        "the authority has signed more",
        LONG,
        () -> rehearsal.signatures(DRILLED) >= before + options.fresh());

    authority.names().forEach(authority::kill);
    backup.lose();
    TimeUnit.MILLISECONDS.sleep(200);
    long known = rehearsal.signatures(DRILLED);
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
    Await.until(
        "the authority signs again", LONG, () -> rehearsal.tap.signedSince(DRILLED, moment));
    outcome.put("signsAgainAfterSeconds", seconds(begun));
    Console.say(
        "%s: it signs again; the same bytes for what it signed, and no second transfer",
        each.label());
    rehearsal.require(
        ask(signed).signed().containsKey(DRILLED),
        "%s: what was signed before the loss is not signed again",
        each.label());
    RejectionCode refusal = ask(doubled).refusals().get(DRILLED);
    rehearsal.require(
        refusal == RejectionCode.SERIAL_CONFLICT,
        "%s: a second transfer of a coin was answered with %s after the restore",
        each.label(),
        refusal);
    outcomes.add(outcome);
  }

  /**
   * @return why it did not sign, in its own words, for each way in which log and database were out
   *     of step
   */
  private List<String> refuseAndRecover(
      RestoreCase each, Transfer doubled, long known, Map<String, Object> outcome)
      throws InterruptedException {
    AuthorityProcesses authority = rehearsal.authority(DRILLED);
    List<String> reasons = new ArrayList<>();
    authority.launch();
    authority.awaitReady();
    boolean behind = each != RestoreCase.ARCHIVE;
    if (behind) {
      long moment = System.nanoTime();
      reasons.add(standstill(each, "rolled back"));
      attack(each, doubled);
      Await.until(
          "the others go on",
          LONG,
          () -> rehearsal.history.finishedOfThoseBegunAfter(moment) >= options.paid());
      outcome.put("paidMeanwhile", rehearsal.history.finishedOfThoseBegunAfter(moment));
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
    rehearsal.require(
        !behind || rehearsal.signatures(DRILLED) == known,
        "%s: %d signatures left an authority that had forgotten",
        each.label(),
        rehearsal.signatures(DRILLED) - known);
    long begun = System.nanoTime();
    rehearsal.require(
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
    rehearsal.require(
        said.isPresent() && (!behind || Long.parseLong(said.get().group(2)) > 0),
        "%s: the recovery brought nothing back",
        each.label());
    authority.start(SIGNER);
    return reasons;
  }

  /**
   * The log as it was when the restored database was: what a snapshot that takes both back leaves.
   */
  private byte[] asOldAsTheDatabase(byte[] log) {
    DatabaseServer database = rehearsal.database(DRILLED);
    try (Connection connection = database.connect(rehearsal.authority(DRILLED).databaseName());
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
    rehearsal.authority(DRILLED).start(SIGNER);
    String reason = standstill(each, expected);
    rehearsal.authority(DRILLED).stop(SIGNER);
    return reason;
  }

  private void refusesToRecover(RestoreCase each, String what) {
    rehearsal.require(
        !rehearsal.authority(DRILLED).recover(), "%s: it was recovered %s", each.label(), what);
  }

  /**
   * The signer says by its metrics, which an alert watches, and in its log that it needs a person.
   */
  private String standstill(RestoreCase each, String expected) {
    AuthorityProcesses authority = rehearsal.authority(DRILLED);
    Await.until("the signer stands still", LONG, () -> value(authority, NEEDS_RESTART) == 1);
    rehearsal.require(
        value(authority, READY) == 0, "%s: the signer calls itself ready", each.label());
    String reason = last(authority.log(SIGNER), STANDSTILL).map(found -> found.group(1)).orElse("");
    rehearsal.require(
        reason.contains(expected), "%s: the signer's reason is \"%s\"", each.label(), reason);
    Console.say("%s: refused: %s", each.label(), reason);
    return reason;
  }

  private static double value(AuthorityProcesses authority, String metric) {
    return Optional.ofNullable(authority.timers(SIGNER).get(metric))
        .map(Measured::total)
        .orElse(Double.NaN);
  }

  /** While its database has forgotten what it signed, the second transfer must get nothing. */
  private void attack(RestoreCase each, Transfer doubled) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ATTACK_SECONDS);
    Collector.Result result =
        rehearsal.collector.collect(
            doubled, ALONE, soFar -> !soFar.signed().isEmpty(), () -> System.nanoTime() - end > 0);
    rehearsal.require(
        result.signed().isEmpty(),
        "%s: a forgetful authority signed a second transfer of a coin",
        each.label());
  }

  private Transfer draft(Wallet cheat) {
    Transfer transfer = cheat.draft(new Wallet.Intent(cheat, 1, 0, List.of()));
    rehearsal.book.drafted(transfer);
    return transfer;
  }

  /** Until the authority has said something final. */
  private Collector.Result ask(Transfer transfer) throws InterruptedException {
    long end = System.nanoTime() + LONG.toNanos();
    return rehearsal.collector.collect(
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
    DatabaseServer database = rehearsal.database(DRILLED);
    Path to = options.folder().resolve("backup-" + each.label());
    if (each == RestoreCase.DUMP) {
      String name = rehearsal.authority(DRILLED).databaseName();
      LogicalBackup dump =
          LogicalBackup.take(DatabaseServer.installation().orElseThrow(), database, name, to);
      outcome.put("backupBytes", dump.bytes());
      return restorer(() -> {}, () -> dump.restore(database, name));
    }
    DatabaseBackup base = DatabaseBackup.take(database, to);
    outcome.put("backupBytes", base.bytes());
    DatabaseBackup.Until until =
        each == RestoreCase.OLD_BACKUP ? DatabaseBackup.Until.BACKUP : DatabaseBackup.Until.END;
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
    return DatabaseServer.installation().map(Path::toString).orElse("the one that comes along");
  }

  @Override
  public void close() {
    traffic.close();
    rehearsal.close();
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
