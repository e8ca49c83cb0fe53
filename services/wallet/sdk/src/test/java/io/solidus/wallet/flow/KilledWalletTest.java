package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.ACCOUNT;
import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.TappedWallet;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.WalletStatus;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.store.TappedStore;
import io.solidus.wallet.store.WalletStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A wallet is killed in every write of its file, with a part of it on the disk, before and after
 * every exchange, and while the gateway has sent its transfer to some authorities only. Its owner
 * goes on with that file, with every older copy of it, or with the words. Everybody is honest, and
 * one authority may be away. Then everything settles, no money is lost or made, and nothing is
 * locked.
 *
 * <p>One run of a script gives all states in which it may be killed: a file and what the services
 * store. Every such state is continued from its file and from the words. With {@code
 * -Dsolidus.wallet.kills=all} it is also continued from every older file, and each time with each
 * authority away; without it from every third one, and with the authorities away in turn.
 */
@Tag("process")
@Spec({"W-03", "W-05", "W-08"})
class KilledWalletTest {
  private static final boolean ALL = "all".equals(System.getProperty("solidus.wallet.kills"));
  private static final int NONE = 0;
  private static final long MINTED = 1_000;
  private static final long FROM_CAROL = 70;
  private static final WalletOptions OPTIONS =
      WalletBench.OPTIONS.withPatience(Duration.ofMillis(200));

  @TempDir(factory = InMemory.class)
  private Path folder;

  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet bob;
  private byte[] bobsFile;
  private int files;
  private int points;
  private int continued;

  /** What a killed wallet leaves: its file, none before its first write, and its services. */
  private record Kill(
      String at, int version, byte @Nullable [] file, int change, FakeGateway.Stored services) {
    boolean sameAs(Kill other) {
      return version == other.version && change == other.change;
    }
  }

  /** Thousands of files are synced, which takes most of the time on a disk. */
  static final class InMemory implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
        throws IOException {
      return Files.isWritable(MEMORY)
          ? Files.createTempDirectory(MEMORY, "solidus-killed")
          : Files.createTempDirectory("solidus-killed");
    }
  }

  @BeforeEach
  void open() throws IOException {
    bench = new WalletBench(folder, network());
    bob = bench.create("bob");
    Wallet carol = bench.create("carol");
    register(carol);
    bench.fund(carol, FROM_CAROL);
    Wallet alice = bench.restored("alice-of-the-address", words);
    carol.pay(alice.address(), amount(FROM_CAROL), "from carol");
    bench.closeWallet(alice);
    bench.closeWallet(carol);
    bobsFile = Files.readAllBytes(bench.path("bob"));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aWalletKilledAnywhereGoesOnFromItsFileAnyOlderCopyOrItsWords() {
    for (int away : ALL ? new int[] {NONE, 1, 4} : new int[] {NONE}) {
      FakeGateway.Stored before = bench.gateway.stored();
      List<Kill> kills = killsOf(null, away, this::script);
      for (Kill kill : changes(kills)) {
        goesOn(kill.at() + ", the words", null, kill.services());
        for (Kill older : versions(kills, kill)) {
          boolean ownFile =
              kills.stream()
                  .anyMatch(k -> k.version() == older.version() && k.change() == kill.change());
          if (!ALL && !ownFile && (older.version() + kill.change()) % 3 != 0) {
            continue;
          }
          goesOn(kill.at() + ", file " + older.version(), older.file(), kill.services());
        }
      }
      bench.gateway.restore(before);
    }
    report();
  }

  /** Also the restore, and the catching up of an old copy, may be killed anywhere. */
  @Test
  void aContinuationKilledAnywhereGoesOn() {
    List<Kill> kills = killsOf(null, NONE, this::script);
    List<Kill> halfSent = kills.stream().filter(kill -> kill.at().contains("reached")).toList();
    for (Kill kill : ALL ? halfSent : halfSent.subList(halfSent.size() - 2, halfSent.size())) {
      List<Kill> sources = versions(kills, kill);
      bench.gateway.restore(kill.services());
      goOnFromAll(
          "restore of " + kill.at(), killsOf(marked(), NONE, wallet -> attempt(wallet::restore)));
      bench.gateway.restore(kill.services());
      goOnFromAll(
          "old copy of " + kill.at(),
          killsOf(
              sources.get(sources.size() / 2).file(),
              NONE,
              wallet -> attempt(() -> wallet.pay(bob.address(), amount(3), "old copy"))));
    }
    report();
  }

  private void goOnFromAll(String what, List<Kill> kills) {
    Kill last = null;
    for (Kill kill : kills) {
      if (kill.file() != null && (last == null || !kill.sameAs(last))) {
        goesOn(what + ", " + kill.at(), kill.file(), kill.services());
      }
      last = kill;
    }
  }

  TestNetwork network() {
    return TestNetwork.get();
  }

  private static boolean isRegulated(Wallet wallet) {
    return wallet.profile().kind() == NetworkKind.REGULATED;
  }

  private static void register(Wallet wallet) {
    if (isRegulated(wallet)
        && wallet.status().registration() != RegistrationStatus.Stage.REGISTERED) {
      WalletBench.registered(wallet);
    }
  }

  private void report() {
    System.out.printf(
        "%d points at which a wallet was killed, %d continuations%n", points, continued);
  }

  private void script(Wallet alice) {
    register(alice);
    mint(alice);
    alice.pay(bob.address(), amount(100), "first");
    alice.receive();
    alice.withdraw(amount(50), ACCOUNT);
    alice.pay(bob.address(), amount(200), "second");
  }

  private void mint(Wallet alice) {
    MintId id = alice.requestMint("funding", "token", amount(MINTED));
    bench.gateway.mint.approveAll();
    assertThat(alice.collectMint(id)).isPresent();
  }

  /** Runs the script on this file, or on a new one, and returns where it may be killed. */
  private List<Kill> killsOf(byte @Nullable [] file, int away, Consumer<Wallet> script) {
    Path path = nextFile(file);
    Recorder recorder = new Recorder(path);
    setAway(away);
    bench.gateway.faults.onExchange = recorder::exchange;
    bench.gateway.faults.onTransfer = recorder::fanOut;
    try (Wallet wallet = open(path, file == null, recorder::write)) {
      script.accept(wallet);
      recorder.exchange("the end");
    } finally {
      bench.gateway.faults.onExchange = exchange -> {};
      bench.gateway.faults.onTransfer = null;
      setAway(NONE);
    }
    points += recorder.kills.size();
    return recorder.kills;
  }

  private final class Recorder {
    private final Path path;
    private final List<Kill> kills = new ArrayList<>();
    private int version;
    private int change;

    Recorder(Path path) {
      this.path = path;
    }

    synchronized void write(int entryBytes) {
      byte[] file = Files.exists(path) ? read(path) : null;
      byte[] torn =
          file == null ? null : Arrays.copyOf(file, file.length - entryBytes + entryBytes / 2);
      record("write " + (version + 1), torn);
      version++;
    }

    synchronized void exchange(String exchange) {
      if (exchange.startsWith("after POST") && !exchange.endsWith("state")) {
        change++;
      }
      record(exchange);
    }

    /** The gateway is killed while it sends the transfer to one authority after the other. */
    synchronized void fanOut(TransferRequest request) {
      FakeGateway.Stored before = bench.gateway.stored();
      for (int reached = 1; reached <= 3; reached++) {
        FakeAuthority authority = bench.gateway.committee.authority(reached);
        if (authority.isUp()) {
          authority.reserveOnly(request);
          change++;
          record("transfer reached " + reached);
        }
      }
      bench.gateway.restore(before);
      change++;
    }

    private void record(String at) {
      record(at, Files.exists(path) ? read(path) : null);
    }

    private void record(String at, byte @Nullable [] file) {
      kills.add(
          new Kill(at + " (" + kills.size() + ")", version, file, change, bench.gateway.stored()));
    }
  }

  /** One kill for each change of what the services store: the last, which has all older files. */
  private static List<Kill> changes(List<Kill> kills) {
    return IntStream.range(0, kills.size())
        .filter(i -> i + 1 == kills.size() || kills.get(i).change() != kills.get(i + 1).change())
        .mapToObj(kills::get)
        .toList();
  }

  /** The files up to that of the kill, each once, and with a part of the next write if possible. */
  private static List<Kill> versions(List<Kill> kills, Kill newest) {
    SortedMap<Integer, Kill> versions = new TreeMap<>();
    for (Kill kill : kills.subList(0, kills.indexOf(newest) + 1)) {
      if (kill.file() != null) {
        versions.put(kill.version(), kill);
      }
    }
    return List.copyOf(versions.values());
  }

  private void goesOn(String what, byte @Nullable [] file, FakeGateway.Stored services) {
    for (int away = 0; away <= 4; away++) {
      if (ALL || away == continued % 5) {
        bench.gateway.restore(services);
        setAway(away);
        try {
          goOn(file == null ? marked() : file);
        } catch (RuntimeException | AssertionError e) {
          fail(what + ", authority " + away + " is away: " + e, e);
        } finally {
          setAway(NONE);
        }
      }
    }
    continued++;
  }

  /** What an owner does: all that is due, once more when the wallet says so. */
  private void goOn(byte[] file) {
    Path path = nextFile(file);
    try (Wallet alice = open(path, false, entryBytes -> {})) {
      attempt(alice::settle);
      register(alice);
      if (alice.history().stream().noneMatch(item -> item.kind() == HistoryItem.Kind.MINTED)) {
        mint(alice);
      }
      alice.pendingMints().forEach(alice::collectMint);
      alice.receive();
      attempt(() -> alice.pay(bob.address(), amount(1), "last"));
      while (isRegulated(alice) && attempt(alice::claim).isPresent()) {
        // all coins
      }
      assertThat(alice.settle()).isEmpty();
      WalletStatus status = alice.status();
      assertThat(status.restoring()).isFalse();
      assertThat(status.transferInFlight()).isFalse();
      assertThat(status.pendingMints()).isZero();
      assertThat(status.pendingDeliveries()).isZero();
      assertThat(status.pendingRedemptions()).isZero();
      assertThat(isRegulated(alice) ? alice.balance().unclaimedCoins() : 0).isZero();
      assertThat(
              alice.balance().total().minor() + bobReceives() + bench.gateway.mint.redeemedMinor())
          .as("the sum of money")
          .isEqualTo(MINTED + FROM_CAROL);
    } finally {
      delete(path);
    }
  }

  private long bobReceives() {
    Path path = nextFile(bobsFile);
    try (Wallet payee = open(path, false, entryBytes -> {})) {
      payee.receive();
      return payee.balance().unclaimed().minor();
    } finally {
      delete(path);
    }
  }

  private interface Step<T> {
    T run();
  }

  /** An old copy may learn from a refusal what happened; the next call then succeeds. */
  private static <T> T attempt(Step<T> step) {
    try {
      return step.run();
    } catch (ProtocolException | WalletException e) {
      return step.run();
    }
  }

  private Wallet open(Path path, boolean isNew, TappedStore.Tap tap) {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      WalletStore store =
          isNew
              ? TappedStore.create(
                  path, WalletBench.PASSPHRASE, phrase, WalletState.empty(bench.profile()), tap)
              : TappedStore.open(path, WalletBench.PASSPHRASE, tap);
      return TappedWallet.over(store, bench.platform, OPTIONS, path);
    }
  }

  /** The file of a restore that has only begun. */
  private byte[] marked() {
    Path path = nextFile(null);
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      Wallet.createToRestore(
              path, WalletBench.PASSPHRASE, phrase, bench.profile(), bench.platform, OPTIONS)
          .close();
    }
    byte[] content = read(path);
    delete(path);
    return content;
  }

  private void setAway(int away) {
    bench.gateway.committee.authorities().forEach(one -> one.up(one.index() != away));
  }

  private Path nextFile(byte @Nullable [] content) {
    Path path = folder.resolve("copy-" + files++);
    try {
      if (content != null) {
        Files.write(path, content);
      }
      return path;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
      Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".lock"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
