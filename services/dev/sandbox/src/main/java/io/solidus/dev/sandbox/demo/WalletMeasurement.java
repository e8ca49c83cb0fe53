package io.solidus.dev.sandbox.demo;

import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.services.Bootstrap;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MailboxBucket;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.WalletOptions;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What an ordinary day costs a wallet of the library: paying, receiving and restoring beside so
 * many messages of others, on a platform of its own with real proofs.
 */
public final class WalletMeasurement {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MESSAGE = 1200;
  private static final int BATCH = 1000;
  private static final byte TAG = 2;
  private static final long FUNDS = 100_000;

  private final SandboxOptions options;
  private final PrintStream out;
  private long all;

  public WalletMeasurement(SandboxOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * One operation.
   *
   * @param operation pay, receive or restore
   * @param mailboxBits of the payee's address that her bucket tells
   * @param messages of others: new ones since the last reading, for a restore all
   * @param millis of wall time
   * @param up bytes from the wallet to the gateway, with the headers of HTTP and without TLS
   * @param down bytes to the wallet
   */
  public record Row(
      String operation, int mailboxBits, long messages, long millis, long up, long down) {}

  /** All rows of a run. */
  public record Result(String machine, double loadAverage, List<Row> rows) {}

  /**
   * Starts a platform and measures.
   *
   * @param counts messages of others before each reading
   */
  public Result measure(List<Integer> counts) throws Exception {
    List<Row> rows = new ArrayList<>();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    try (Sandbox sandbox = Sandbox.start(options, line -> out.println("  " + line));
        Stage stage = started(sandbox.installation());
        CountingRelay relay = new CountingRelay(options.ports().gateway())) {
      RegistrationChapter registration =
          new RegistrationChapter(
              stage, SanctionLists.of(options.data().resolve("demo"), null, null));
      String unused = registration.importSanctions();
      // buckets first: a reader of a bucket also reads what was posted to the whole mailbox
      for (int bits : List.of(MailboxBucket.MAX_BITS, 0)) {
        rows.addAll(measured(stage, registration, relay, bits, counts));
      }
    }
    return new Result(
        System.getProperty("os.arch")
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, Java "
            + System.getProperty("java.version"),
        load,
        rows);
  }

  private Stage started(Installation installation) throws Exception {
    Stage stage = new Stage(options, installation);
    long policy = Bootstrap.ensure(stage.operators, options.data().resolve("demo"));
    stage.await("policy " + policy + " in force", () -> stage.probe.allHave(policy, 1));
    return stage;
  }

  private List<Row> measured(
      Stage stage,
      RegistrationChapter registration,
      CountingRelay relay,
      int bits,
      List<Integer> counts)
      throws Exception {
    List<Row> rows = new ArrayList<>();
    try (Actor payer = Actor.enter(stage, bits == 0 ? "Anna" : "Clara");
        Actor payee = Actor.enter(stage, bits == 0 ? "Bruno" : "Dora")) {
      String unused = registration.register(payer);
      unused = registration.register(payee);
      unused = new PaymentChapter(stage).mint(payer, FUNDS);
      payer.letGo();
      payee.letGo();
      try (Wallet from = open(stage, relay, payer.file(), bits);
          Wallet to = open(stage, relay, payee.file(), bits)) {
        to.receive();
        for (int count : counts) {
          fill(count, bits);
          all += count;
          Meter meter = new Meter(relay);
          from.pay(to.address(), new Amount(100), "measured");
          rows.add(row(meter, "pay", bits, count));
          meter = new Meter(relay);
          StoryFailure.unless(to.receive().size() == 1, "the payment did not arrive");
          rows.add(row(meter, "receive", bits, count));
          meter = new Meter(relay);
          Path file = payee.file().resolveSibling("restored-" + bits + "-" + count + ".wallet");
          try (SeedPhrase phrase = SeedPhrase.parse(payee.words());
              Wallet restored =
                  Wallet.createToRestore(
                      file,
                      Stage.PASSPHRASE.clone(),
                      phrase,
                      behind(stage, relay),
                      stage.wallets,
                      options(stage, bits))) {
            restored.restore();
            rows.add(row(meter, "restore", bits, all));
            StoryFailure.unless(
                restored.balance().total().equals(to.balance().total()),
                "the restored wallet has another balance");
          }
        }
      }
      payer.reopen();
      payee.reopen();
    }
    return rows;
  }

  private static WalletOptions options(Stage stage, int bits) {
    return stage.walletOptions(PATIENCE).withMaxMailboxDelay(Duration.ZERO).withMailboxBits(bits);
  }

  private static Wallet open(Stage stage, CountingRelay relay, Path file, int bits) {
    Wallet wallet =
        Wallet.open(file, Stage.PASSPHRASE.clone(), stage.wallets, options(stage, bits));
    wallet.moveTo(behind(stage, relay));
    wallet.close();
    return Wallet.open(file, Stage.PASSPHRASE.clone(), stage.wallets, options(stage, bits));
  }

  private static WalletProfile behind(Stage stage, CountingRelay relay) {
    WalletProfile profile = stage.profile(null);
    return profile.withServices(
        profile.currency(), URI.create("http://127.0.0.1:" + relay.port()), profile.services());
  }

  private Row row(Meter meter, String operation, int bits, long messages) {
    CountingRelay.Bytes bytes = meter.bytes();
    Row row = new Row(operation, bits, messages, meter.millis(), bytes.up(), bytes.down());
    out.printf(
        "  %-8s %6d messages, %d bits: %7d ms, %8.1f kB up, %9.1f kB down%n",
        operation, messages, bits, row.millis(), row.up() / 1000.0, row.down() / 1000.0);
    return row;
  }

  private static final class Meter {
    private final CountingRelay relay;
    private final CountingRelay.Bytes before;
    private final long start = System.nanoTime();

    Meter(CountingRelay relay) {
      this.relay = relay;
      this.before = relay.bytes();
    }

    CountingRelay.Bytes bytes() {
      return relay.bytes().minus(before);
    }

    long millis() {
      return Duration.ofNanos(System.nanoTime() - start).toMillis();
    }
  }

  /**
   * Messages for nobody, which cost a reader as much as those of others: their tag and length are
   * right, and their key agreement fails. They go to the table, because posting 100,000 takes long.
   */
  private void fill(int count, int bits) throws SQLException {
    SplittableRandom random = new SplittableRandom();
    int first = 1 << bits;
    String url = "jdbc:postgresql://127.0.0.1:" + options.ports().postgres() + "/gateway";
    try (Connection database = DriverManager.getConnection(url, "postgres", "postgres");
        PreparedStatement insert =
            database.prepareStatement("INSERT INTO mailbox (blob, bucket) VALUES (?, ?)")) {
      database.setAutoCommit(false);
      for (int i = 0; i < count; i++) {
        byte[] blob = new byte[MESSAGE];
        random.nextBytes(blob);
        blob[0] = TAG;
        insert.setBytes(1, blob);
        insert.setInt(2, first + i % first);
        insert.addBatch();
        if (i % BATCH == BATCH - 1) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
      database.commit();
    }
  }
}
