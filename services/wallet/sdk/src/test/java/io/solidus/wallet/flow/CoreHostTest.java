package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.tuple;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.core.CoreCommand;
import io.solidus.wallet.core.CoreExchange;
import io.solidus.wallet.core.CoreHost;
import io.solidus.wallet.core.CoreProfile;
import io.solidus.wallet.core.CoreResult;
import io.solidus.wallet.core.CoreView;
import io.solidus.wallet.core.Exchanges;
import io.solidus.wallet.core.HistoryPages;
import io.solidus.wallet.core.HostClock;
import io.solidus.wallet.core.HostParts;
import io.solidus.wallet.core.MortalPhone;
import io.solidus.wallet.core.MortalPhone.Moment;
import io.solidus.wallet.core.ProofMaker;
import io.solidus.wallet.core.StateStore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.CoreExchanges;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The host of the core, on a network with a real committee and real proofs. */
@Tag("process")
class CoreHostTest {
  private static final String PERSON =
      """
      {"person": {"givenName": "Ada", "familyName": "Lovelace", "birthDate": "1990-12-10",
       "nationality": "GB", "documentNumber": "X1"}}
      """;

  @TempDir private Path folder;
  private TestCommittee committee = TestCommittee.regulated();
  private WalletBench bench;
  private HttpClient http;

  /** What the phone's prover was given. */
  private final List<byte[]> witnesses = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.useRealProofs();
    http = HttpClient.newHttpClient();
  }

  @AfterEach
  void close() {
    http.close();
    bench.close();
  }

  /** Waits take no time: the clock jumps. */
  private static final class Jumping implements HostClock {
    private long ahead;

    @Override
    public long now() {
      return System.currentTimeMillis() + ahead;
    }

    @Override
    public void sleepUntil(long millis) {
      ahead += Math.max(0, millis - now());
    }
  }

  private Exchanges exchanges() {
    return new CoreExchanges(http, bench.gateway.uri(), bench.profile().services(), null);
  }

  private CoreProfile profile() {
    return profile(null);
  }

  private CoreProfile profile(@Nullable EncryptionKey prover) {
    return CoreProfile.read(
        committee.keysDir(),
        TestCommittee.NETWORK,
        committee.manifestKey(),
        Set.of(KeyClass.DEVELOPMENT),
        0,
        new CurrencyCode("EUR"),
        prover);
  }

  /** A phone on which these words are restored. */
  private MortalPhone phone(String words) throws InterruptedException {
    return phone(words, profile());
  }

  private MortalPhone phone(String words, CoreProfile profile) throws InterruptedException {
    MortalPhone phone = created(words, profile);
    assertThat(phone.run(CoreCommand.restore("restore"))).isEqualTo(new CoreResult(""));
    return phone;
  }

  private MortalPhone created(String words, CoreProfile profile) {
    ProofMaker prover = committee.prover()::prove;
    ProofMaker noting =
        (family, witness) -> {
          witnesses.add(witness);
          return prover.prove(family, witness.clone());
        };
    MortalPhone phone =
        new MortalPhone(folder.resolve("phone.core"), exchanges(), noting, new Jumping());
    phone.create(profile, words);
    return phone;
  }

  /** Two devices of these words pay at once, and each payment has two authorities. */
  private Wallet locked(String words, Wallet bob) {
    bench.twoDevices(words);
    Wallet phone = bench.device("phone", bob);
    Wallet laptop = bench.device("laptop", bob);
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    bench.closeWallet(phone);
    return laptop;
  }

  /** The core makes the recover with a real proof, and its process dies at each of its effects. */
  @Test
  @Spec("W-10")
  void aCoreFreesALockedAccountAndTheLibraryFollows() throws Exception {
    String words = WalletBench.newPhrase();
    Wallet bob = bench.registered("bob");
    Wallet laptop = locked(words, bob);
    // the library's recover reaches nobody
    bench.gateway.faults.onRecover = request -> bench.only();
    WalletBench.refused(RejectionCode.NO_QUORUM, laptop::recover);
    bench.gateway.faults.onRecover = null;
    bench.only(1, 2, 3, 4);
    try (MortalPhone phone = created(words, profile())) {
      assertThat(phone.run(CoreCommand.restore("restore")))
          .isEqualTo(new CoreResult("serial-conflict"));
      CoreResult freed =
          phone.run(
              CoreCommand.recover("recover"),
              (effect, number) -> number == phone.deaths() + 1 ? Moment.PERFORMED : null);
      assertThat(freed).isEqualTo(new CoreResult(""));
      assertThat(phone.performed()).contains("proof", "POST /v1/recovers");
      assertThat(phone.deaths()).isGreaterThan(10);
      List<RecoverRequest> made = bench.gateway.recovers;
      assertThat(made)
          .as("the library's and the core's are one core")
          .hasSizeGreaterThan(1)
          .allSatisfy(one -> {
            assertThat(one.statement()).isEqualTo(made.getFirst().statement());
            assertThat(one.attachments()).isEqualTo(made.getFirst().attachments());
          });
      assertThat(phone.view().total()).isEqualTo(amount(5_800));
      assertThat(phone.view().recovers())
          .singleElement()
          .extracting(CoreView.Recover::burnt, CoreView.Recover::lost)
          .containsExactly(amount(500), amount(0));
      ended(phone, CoreCommand.pay("after", bob.addressText(), amount(30), "after"));
      assertThat(phone.view().total()).isEqualTo(amount(5_770));
    }
    assertThat(bob.receive()).extracting(ReceivedCoin::reference).containsExactly("after");
    laptop.recover();
    assertThat(laptop.balance().total()).isEqualTo(amount(5_770));
    Wallet again = bench.restored("again", words);
    again.restore();
    assertThat(again.balance().total()).isEqualTo(amount(5_770));
  }

  /** The library has made the recover. */
  @Test
  @Spec("W-05")
  void aCoreFollowsARecoverOfTheLibrary() throws Exception {
    String words = WalletBench.newPhrase();
    Wallet bob = bench.registered("bob");
    Wallet laptop = locked(words, bob);
    assertThat(laptop.recover().burnt()).isEqualTo(amount(500));
    try (MortalPhone phone = phone(words)) {
      assertThat(phone.performed()).doesNotContain("proof");
      assertThat(phone.view().total()).isEqualTo(amount(5_800));
      assertThat(phone.view().recovers()).hasSize(1);
      ended(phone, CoreCommand.pay("after", bob.addressText(), amount(30), "after"));
    }
    assertThat(bob.receive()).extracting(ReceivedCoin::reference).containsExactly("after");
  }

  /**
   * In each payment the first process dies at its first effect, the second one at its second, and
   * so on, until one lives long enough.
   */
  @Test
  @Spec("W-40")
  void everyCutOfAPaymentPaysOnce() throws Exception {
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("alice", words, 4_000, 500));
    Wallet bob = bench.registered("bob");
    try (MortalPhone phone = phone(words)) {
      assertThat(phone.view().registered()).isTrue();
      assertThat(phone.view().total()).isEqualTo(amount(4_500));
      for (Moment moment : Moment.values()) {
        CoreCommand payment =
            CoreCommand.pay(moment.name(), bob.addressText(), amount(300), "invoice " + moment);
        CoreResult paid =
            phone.run(payment, (effect, number) -> number == phone.deaths() + 1 ? moment : null);
        assertThat(paid).as(moment.name()).isEqualTo(new CoreResult(""));
        assertThat(phone.performed()).contains("proof", "POST /v1/transfers", "POST /v1/mailbox");
        assertThat(phone.deaths()).as(moment.name()).isGreaterThan(5);
        assertThat(bob.receive())
            .singleElement()
            .extracting(ReceivedCoin::reference)
            .isEqualTo("invoice " + moment);
      }
      CoreView view = phone.view();
      assertThat(view.total()).isEqualTo(amount(3_600));
      assertThat(view.inFlight()).isFalse();
      assertThat(view.undelivered()).isZero();
      assertThat(view.history())
          .extracting(CoreView.Transfer::payment)
          .containsExactly("KEPT", "PERFORMED", "ANSWERED");
    }
    assertThat(bob.balance().total()).isEqualTo(amount(900));
    Wallet again = bench.restored("alice-again", words);
    again.restore();
    assertThat(again.balance().total()).isEqualTo(amount(3_600));
  }

  @Test
  void paysWhatTheLibraryPaidIt() throws Exception {
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("alice", words, 1_000));
    Wallet bob = bench.funded("bob", 2_000);
    try (MortalPhone phone = phone(words)) {
      bob.pay(bob.parseAddress(phone.view().address()), amount(700), "for the phone");
      assertThat(phone.run(CoreCommand.receive("read"))).isEqualTo(new CoreResult(""));
      assertThat(phone.view().coins())
          .extracting(CoreView.Coin::text)
          .containsExactly("", "for the phone");
      CoreCommand back = CoreCommand.pay("back", bob.addressText(), amount(1_650), "back");
      assertThat(phone.run(back).ok()).isTrue();
      assertThat(phone.run(back).ok()).isTrue();
      assertThat(bob.receive()).extracting(ReceivedCoin::reference).containsExactly("back");
      assertThat(phone.view().total()).isEqualTo(amount(50));
      CoreCommand more = CoreCommand.pay("more", bob.addressText(), amount(51), "");
      assertThat(phone.run(more)).isEqualTo(new CoreResult("insufficient-funds"));
      assertThat(witnesses).isNotEmpty().allSatisfy(witness -> assertThat(witness).containsOnly(0));
    }
  }

  /** A network with claims of many coins. */
  private void useShapes() throws IOException {
    bench.close();
    committee = TestCommittee.withShapes();
    bench =
        new WalletBench(Files.createDirectory(folder.resolve("shapes")), TestNetwork.withShapes());
  }

  /**
   * With the owner's word, a core claims six coins with one real proof, and the library goes on.
   */
  @Test
  @Spec({"W-48", "W-49"})
  void aCoreClaimsManyCoins() throws Exception {
    useShapes();
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("shop", words, 101, 102, 103, 104, 105, 106));
    Wallet bob = bench.registered("bob");
    bench.useRealProofs();
    try (MortalPhone phone = phone(words, profile().withOnlyDevice())) {
      ended(phone, CoreCommand.pay("rent", bob.addressText(), amount(600), "rent"));
      assertThat(phone.performed()).containsOnlyOnce("proof");
      assertThat(phone.view().held()).isEqualTo(amount(21));
      assertThat(phone.view().coins()).isEmpty();
    }
    assertThat(bench.gateway.transfers.getLast().statement().family()).isEqualTo(Family.CLAIM_16);
    assertThat(bob.receive()).hasSize(1);
    Wallet again = bench.restored("shop-again", words);
    again.restore();
    assertThat(again.balance().held()).isEqualTo(amount(21));
  }

  /** The library has claimed six coins with one proof, and then paid. */
  @Test
  @Spec("W-48")
  void goesOnBehindAClaimOfMany() throws Exception {
    useShapes();
    bench.options = bench.options.withOnlyDevice();
    String words = WalletBench.newPhrase();
    Wallet shop = bench.funded("shop", words, 101, 102, 103, 104, 105, 106);
    shop.claim();
    assertThat(bench.gateway.transfers.getLast().statement().family()).isEqualTo(Family.CLAIM_16);
    Wallet bob = bench.registered("bob");
    shop.pay(bob.address(), amount(21), "by the library");
    bench.closeWallet(shop);
    bench.useRealProofs();
    try (MortalPhone phone = phone(words)) {
      assertThat(phone.view().held()).isEqualTo(amount(600));
      assertThat(phone.view().history())
          .extracting(CoreView.Transfer::claimed)
          .containsExactly(amount(621), amount(0));
      ended(phone, CoreCommand.pay("by the core", bob.addressText(), amount(100), "by the core"));
      assertThat(phone.view().total()).isEqualTo(amount(500));
    }
    assertThat(bob.receive())
        .extracting(ReceivedCoin::reference)
        .containsExactlyInAnyOrder("by the library", "by the core");
    Wallet again = bench.restored("shop-again", words);
    again.restore();
    assertThat(again.balance().total()).isEqualTo(amount(500));
  }

  /**
   * The library has paid five people with one real proof, and the mailbox has lost its messages.
   * The core posts eight of its own, and pays on.
   */
  @Test
  @Spec({"F-81", "W-53"})
  void goesOnBehindAPaymentToSeveral() throws Exception {
    useShapes();
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("employer", words, 1_000, 500));
    List<Wallet> staff =
        IntStream.range(0, 5).mapToObj(i -> bench.registered("staff" + i)).toList();
    List<PaymentOrder> orders =
        IntStream.range(0, 5)
            .mapToObj(i -> new PaymentOrder(staff.get(i).address(), amount(101 + i), "salary " + i))
            .toList();
    bench.useRealProofs();
    Wallet employer = bench.reopen("employer");
    int posts = bench.gateway.mailbox().size();
    employer.payMany("payroll", orders);
    bench.closeWallet(employer);
    assertThat(bench.gateway.transfers.getLast().statement().family()).isEqualTo(Family.PAY_8);
    bench.gateway.mailbox().subList(posts, posts + 8).clear();
    try (MortalPhone phone = phone(words)) {
      assertThat(bench.gateway.mailbox()).hasSize(posts + 8);
      assertThat(phone.view().total()).isEqualTo(amount(1_500 - 515));
      assertThat(phone.view().history())
          .extracting(CoreView.Transfer::paid, CoreView.Transfer::text)
          .containsExactly(
              tuple(amount(101), "salary 0"),
              tuple(amount(102), "salary 1"),
              tuple(amount(103), "salary 2"),
              tuple(amount(104), "salary 3"),
              tuple(amount(105), "salary 4"));
      String to = staff.getFirst().addressText();
      ended(phone, CoreCommand.pay("by the core", to, amount(100), "by the core"));
      assertThat(phone.view().total()).isEqualTo(amount(1_500 - 515 - 100));
    }
    for (int i = 1; i < staff.size(); i++) {
      assertThat(staff.get(i).receive())
          .singleElement()
          .extracting(ReceivedCoin::reference)
          .isEqualTo("salary " + i);
    }
    assertThat(staff.getFirst().receive())
        .extracting(ReceivedCoin::reference)
        .containsExactlyInAnyOrder("salary 0", "by the core");
    Wallet again = bench.restored("employer-again", words);
    again.restore();
    assertThat(again.balance().total()).isEqualTo(amount(1_500 - 515 - 100));
  }

  /** A wallet that the library registered fetches a batch and spends it after an hour. */
  @Test
  @Spec("W-63")
  void aCoreSpendsBlindTokens() throws Exception {
    bench.gateway.tokens.countersigners = TestNetwork.get().noteSigners.subList(0, 3);
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("alice", words, 1_000));
    Wallet bob = bench.registered("bob");
    Jumping clock = new Jumping();
    ProofMaker prover = committee.prover()::prove;
    try (MortalPhone phone =
        new MortalPhone(folder.resolve("phone.core"), exchanges(), prover, clock)) {
      phone.create(profile().withTokensFor(bench.gateway.uri().getHost()), words);
      ended(phone, CoreCommand.restore("restore"));
      ended(phone, CoreCommand.receive("fetch"));
      assertThat(bench.gateway.tokens.sizes).containsExactly(FakeTokens.BATCH);
      assertThat(bench.gateway.tokens.all()).isEmpty();
      clock.sleepUntil(clock.now() + Duration.ofHours(1).plusMinutes(1).toMillis());
      ended(phone, CoreCommand.pay("later", bob.addressText(), amount(10), "later"));
      assertThat(bench.gateway.tokens.all()).isNotEmpty().doesNotHaveDuplicates();
      assertThat(bench.gateway.tokens.shown.keySet())
          .isSubsetOf("POST /v1/mailbox", "POST /v1/coins/state");
    }
  }

  private static byte[] manifestOf(TestCommittee of) throws IOException {
    return Files.readAllBytes(of.keysDir().resolve("manifest.json"));
  }

  private static Map<String, byte[]> signed(byte[] manifest, Ed25519PrivateKey key) {
    return Map.of("manifest", manifest, "signature", line(key.sign(manifest)));
  }

  private static byte[] line(byte[] signature) {
    return (HexFormat.of().formatHex(signature) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** The gateway's tables and replicas are those that the library reads from. */
  @Test
  @Spec({"W-64", "W-39"})
  void aCoreReadsByPrivateQueries() throws Exception {
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("alice", words, 1_000));
    Wallet bob = bench.funded("bob", 500);
    Jumping clock = new Jumping();
    try (MortalPhone phone =
        new MortalPhone(
            folder.resolve("phone.core"), exchanges(), committee.prover()::prove, clock)) {
      phone.create(profile(), words);
      ended(phone, CoreCommand.restore("restore"));
      assertThat(phone.useServices(0, bench.gateway.tables.keys())).isTrue();
      close(clock);
      ended(phone, CoreCommand.receive("begins"));
      bob.pay(bob.parseAddress(phone.view().address()), amount(70), "in private");
      close(clock);
      bench.gateway.routes.clear();
      for (int i = 0; phone.view().total().minor() == 1_000 && i < 10; i++) {
        ended(phone, CoreCommand.receive("read " + i));
        clock.sleepUntil(phone.view().mail().nextQueryMillis());
        close(clock);
      }
      assertThat(phone.view().coins()).extracting(CoreView.Coin::text).contains("in private");
      assertThat(phone.view().mail().privately()).isTrue();
      assertThat(bench.gateway.routes)
          .contains("POST /v1/mailbox/queries")
          .noneMatch(route -> route.endsWith("/records") || route.equals("GET /v1/mailbox"));
      ended(phone, CoreCommand.pay("back", bob.addressText(), amount(30), "back"));
    }
  }

  /** Five minutes pass, and what was posted is in tables. */
  private void close(Jumping clock) {
    clock.sleepUntil(clock.now() + Duration.ofMinutes(5).toMillis());
    bench.gateway.closeTables(Clock.fixed(Instant.ofEpochMilli(clock.now()), ZoneOffset.UTC));
  }

  /**
   * The shares are refreshed twice. The last manifest names only the one between as former, so a
   * core that did not take that one does not know it.
   */
  @Test
  @Spec("W-62")
  void aCoreTakesANewerManifest() throws Exception {
    Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(new byte[32]);
    CoreProfile own = profile();
    CoreProfile pinned =
        new CoreProfile(
            own.network(),
            key.publicKey().bytes(),
            own.classes(),
            own.manifest(),
            line(key.sign(own.manifest())),
            own.transferKey(),
            own.registerKey(),
            own.mintKey(),
            0,
            own.currency(),
            null,
            null,
            false,
            own.recoverKey(),
            "",
            List.of());
    TestCommittee between = committee.refreshed(0);
    byte[] newer = manifestOf(between);
    byte[] newest =
        new String(manifestOf(between.refreshed(0)), StandardCharsets.UTF_8)
            .replace(committee.keys().manifestDigest().hex(), "00".repeat(32))
            .getBytes(StandardCharsets.UTF_8);
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("alice", words, 1_000));
    Wallet bob = bench.registered("bob");
    Path before = folder.resolve("before.core");
    try (MortalPhone phone = phone(words, pinned)) {
      Files.copy(folder.resolve("phone.core"), before);
      bench.gateway.faults.keys = signed(newer, Ed25519PrivateKey.fromSeed(TestRandom.bytes(32)));
      assertThat(phone.run(CoreCommand.settle("forged")))
          .isEqualTo(new CoreResult("manifest-untrusted"));
      bench.gateway.faults.keys = signed(newer, key);
      ended(phone, CoreCommand.settle("newer"));
      bench.gateway.faults.keys = signed(newest, key);
      ended(phone, CoreCommand.pay("newest", bob.addressText(), amount(10), "newest"));
      // gateways get it at different times
      bench.gateway.faults.keys = signed(newer, key);
      ended(phone, CoreCommand.pay("late", bob.addressText(), amount(20), "late"));
      assertThat(phone.view().total()).isEqualTo(amount(970));
      bench.gateway.faults.keys = signed(newest, key);
    }
    try (MortalPhone old =
        new MortalPhone(before, exchanges(), committee.prover()::prove, new Jumping())) {
      assertThat(old.run(CoreCommand.settle("old")))
          .isEqualTo(new CoreResult("manifest-untrusted"));
    }
  }

  /** From new words to a payout, with the proofs of a prover. */
  @Test
  void registersMintsWithdrawsAndPaysARequestOnce() throws Exception {
    String words = WalletBench.newPhrase();
    Wallet bob = bench.registered("bob");
    RequestToken id = bob.newRequestToken();
    PaymentRequest request =
        new PaymentRequest(
            bob.address(),
            new PaymentRequest.Price(amount(30), new CurrencyCode("EUR")),
            null,
            id,
            null,
            "Miete März",
            null);
    CoreProfile delegating = profile(bench.gateway.proverKey.publicKey());
    ProofMaker none = (family, witness) -> fail("the prover makes the proofs");
    try (MortalPhone phone =
        new MortalPhone(folder.resolve("new.core"), exchanges(), none, new Jumping())) {
      phone.create(delegating, words);
      ended(phone, CoreCommand.register("register", PERSON));
      assertThat(phone.view().registered()).isTrue();
      ended(phone, CoreCommand.mint("mint", "funding-1", "token", 0, amount(900)));
      ended(phone, CoreCommand.collect("early"));
      assertThat(phone.view().mints())
          .singleElement()
          .extracting(CoreView.Mint::funding, CoreView.Mint::value)
          .containsExactly("funding-1", amount(900));
      bench.gateway.mint.approveAll();
      ended(phone, CoreCommand.collect("collect"));
      assertThat(phone.view().mints()).isEmpty();
      assertThat(phone.view().total()).isEqualTo(amount(900));

      ended(
          phone,
          CoreCommand.withdraw(
              "withdraw", amount(400), bench.gateway.issuerKey.publicKey(), WalletBench.ACCOUNT));
      assertThat(phone.view().unredeemed()).isZero();
      assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(400);
      assertThat(
              PayoutBlockReader.open(
                  bench.gateway.issuerKey, bench.gateway.mint.payoutBlocks().getFirst()))
          .contains("DE02120300000000202051", "Ada Lovelace");

      String uri = bob.writeRequest(request, true);
      ended(phone, CoreCommand.pay("request", uri));
      ended(phone, CoreCommand.pay("another name", uri));
      assertThat(phone.view().total()).isEqualTo(amount(470));
    }
    bob.receive();
    assertThat(bob.paidFor(id))
        .singleElement()
        .extracting(ReceivedCoin::value)
        .isEqualTo(amount(30));
    Wallet same = bench.restored("same", words);
    same.restore();
    assertThat(same.balance().total()).isEqualTo(amount(470));
  }

  /**
   * Forty real proofs, so that history leaves the state. A page that is lost costs history only.
   */
  @Test
  @Tag("long")
  void oldTransfersAreReadByPages() throws Exception {
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.funded("alice", words, 4_000));
    Wallet bob = bench.registered("bob");
    try (MortalPhone phone = phone(words)) {
      for (int i = 0; i < 41; i++) {
        ended(phone, CoreCommand.pay("invoice " + i, bob.addressText(), amount(10), "no. " + i));
      }
      CoreView view = phone.view();
      assertThat(view.pages()).isEqualTo(1);
      assertThat(view.archived()).isEqualTo(20);
      assertThat(view.history()).hasSize(21);
      assertThat(phone.history(0).orElseThrow())
          .hasSize(20)
          .extracting(CoreView.Transfer::payment)
          .startsWith("invoice 0")
          .endsWith("invoice 19");
      Path page = folder.resolve("phone.core.history/history-000000.page");
      byte[] kept = Files.readAllBytes(page);
      kept[100] ^= 1;
      Files.write(page, kept);
      assertThat(phone.history(0)).isEmpty();
      Files.delete(page);
      assertThat(phone.history(0)).isEmpty();
      ended(phone, CoreCommand.pay("invoice 3", bob.addressText(), amount(10), "no. 3"));
      assertThat(phone.performed()).doesNotContain("proof");
      assertThat(phone.view().total()).isEqualTo(amount(4_000 - 410));
    }
    bob.receive();
    assertThat(bob.balance().total()).isEqualTo(amount(410));
  }

  private static void ended(MortalPhone phone, CoreCommand command) throws InterruptedException {
    assertThat(phone.run(command)).isEqualTo(new CoreResult(""));
  }

  /** What cannot be kept is not performed. */
  @Test
  @Spec("W-40")
  void nothingLeavesBeforeTheStateIsKept() throws Exception {
    StateStore full =
        new StateStore() {
          private byte[] kept = {};

          @Override
          public byte[] read() {
            return kept.clone();
          }

          @Override
          public void write(byte[] state) {
            if (kept.length != 0) {
              throw new WalletException(WalletError.STORE_UNWRITABLE, "the disk is full");
            }
            kept = state.clone();
          }
        };
    CoreHost host = host(full, exchanges());
    WalletBench.refused(
        WalletError.STORE_UNWRITABLE, () -> host.run(CoreCommand.restore("restore")));
    assertThat(bench.gateway.routes).isEmpty();
  }

  @Test
  void aGatewayThatIsAwayEndsACommand() throws Exception {
    CoreHost host =
        host(
            inMemory(),
            exchange -> {
              throw new WalletException(WalletError.GATEWAY_UNREACHABLE, "no route");
            });
    assertThat(host.run(CoreCommand.restore("restore")))
        .isEqualTo(new CoreResult("gateway-unreachable"));
  }

  @Test
  void oneCommandIsAtWorkAndCanBeCancelled() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CoreHost host =
        host(
            inMemory(),
            exchange -> {
              asked.countDown();
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return CoreExchange.Answer.NONE;
            });
    CompletableFuture<CoreResult> result =
        CompletableFuture.supplyAsync(() -> {
          try {
            return host.run(CoreCommand.restore("first"));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(host.run(CoreCommand.receive("second"))).isEqualTo(new CoreResult("busy"));
    host.cancel();
    assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(new CoreResult("cancelled"));
    assertThat(host.view().working()).isEmpty();
    assertThat(host.resume()).isEmpty();
  }

  private CoreHost host(StateStore store, Exchanges exchanges) {
    try (SeedPhrase phrase = SeedPhrase.parse(WalletBench.newPhrase())) {
      HostParts parts =
          new HostParts(
              store,
              HistoryPages.NONE,
              exchanges,
              committee.prover()::prove,
              new Jumping(),
              news -> Objects.requireNonNull(news));
      return CoreHost.create(parts, profile(), phrase);
    }
  }

  private static StateStore inMemory() {
    return new StateStore() {
      private List<byte[]> kept = List.of(new byte[0]);

      @Override
      public byte[] read() {
        return kept.getFirst().clone();
      }

      @Override
      public void write(byte[] state) {
        kept = List.of(state.clone());
      }
    };
  }
}
