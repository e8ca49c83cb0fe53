package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.Stage.money;
import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.services.Bootstrap;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The story of {@code ./solidus demo}: money is minted, paid privately and redeemed, and forbidden
 * payments are refused.
 */
public final class Story {
  private final SandboxOptions options;
  private final SanctionLists lists;
  private final PrintStream out;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<String> canaries = new ArrayList<>();
  private final Map<String, String> words = new HashMap<>();
  private @Nullable SupplyReport supply;

  public Story(SandboxOptions options, SanctionLists lists, PrintStream out) {
    this.options = options;
    this.lists = lists;
    this.out = out;
  }

  /**
   * Runs the whole story.
   *
   * @param startPlatform whether to start the platform, and to stop it at the end
   */
  public DemoReport tell(boolean startPlatform) throws Exception {
    StoryTeller teller = new StoryTeller(out);
    try {
      teller.step("up", () -> up(startPlatform));
      if (!teller.failed()) {
        play(teller, stage());
      }
    } finally {
      close();
    }
    List<StepResult> steps = teller.results();
    return new DemoReport(steps, supply, !teller.failed() && supply != null && supply.balances());
  }

  /**
   * The names, document numbers and seed phrases of this run's persons, which must not be in any
   * validator's store or log.
   */
  public List<String> canaries() {
    return List.copyOf(canaries);
  }

  /**
   * The seed phrase of a person of this run, whose wallet is closed at the end.
   *
   * @param name Alice, Bob or Carol
   */
  public String words(String name) {
    return Objects.requireNonNull(words.get(name), name);
  }

  private String up(boolean startPlatform) throws Exception {
    Installation installation;
    if (startPlatform) {
      Sandbox sandbox = Sandbox.start(options, line -> out.println("  " + line));
      open.add(sandbox);
      installation = sandbox.installation();
    } else {
      installation = Sandbox.open(options, line -> {});
    }
    Stage stage = new Stage(options, installation);
    open.add(stage);
    long policy = Bootstrap.ensure(stage.operators, options.data().resolve("demo"));
    long checkpoint = options.isRegulated() ? 1 : 0;
    stage.await("policy " + policy + " in force", () -> stage.probe.allHave(policy, checkpoint));
    return (options.isRegulated() ? "" : "an unregulated network: ")
        + options.authorities()
        + " authorities with "
        + options.shards()
        + " shards each, policy "
        + policy
        + " in force";
  }

  private Stage stage() {
    return (Stage) open.getLast();
  }

  private void play(StoryTeller teller, Stage stage) throws Exception {
    JsonNode atStart = stage.operators.supply();
    Actor alice = enter(stage, "Alice");
    Actor bob = enter(stage, "Bob");
    Actor carol = enter(stage, "Carol");
    if (!options.isRegulated()) {
      playUnregulated(teller, stage, atStart, List.of(alice, bob, carol));
      return;
    }
    RegistrationChapter registration = new RegistrationChapter(stage, lists);
    PaymentChapter payments = new PaymentChapter(stage);
    ChangeChapter changes = new ChangeChapter(stage);

    teller.step("import-sanctions", registration::importSanctions);
    teller.step("register-alice", () -> registration.register(alice));
    teller.step("register-bob", () -> registration.register(bob));
    teller.step("register-merchant", () -> registration.registerMerchant(alice));
    teller.step("refuse-second-registration", () -> registration.refuseSecondRegistration(alice));
    teller.step("refuse-listed-person", registration::refuseListedPerson);
    teller.step("mint-alice", () -> payments.mint(alice, PaymentChapter.MINTED_ALICE));
    teller.step("pay-alice-bob", () -> payments.payAliceBob(alice, bob));
    teller.step("pay-bob-carol", () -> payments.payBobCarol(bob, carol));
    teller.step("refuse-double-spend", () -> payments.refuseDoubleSpend(bob, alice, carol));
    teller.step("replay-same-answer", () -> payments.replaySameAnswer(carol, bob));
    teller.step("refuse-over-limit", () -> payments.refuseOverLimit(alice, bob));
    teller.step(
        "waterfall-carol",
        () -> {
          String registered = registration.register(carol);
          unless(!registered.isEmpty(), "Carol is not registered");
          return payments.waterfallCarol(carol);
        });
    teller.step("policy-change-in-flight", () -> changes.policyChangeInFlight(alice, bob));
    teller.step("refuse-sanctioned-payee", () -> changes.refuseSanctionedPayee(alice));
    teller.step("delegated-proof", () -> changes.delegatedProof(alice, bob));
    teller.step("survive-one-validator-down", () -> changes.surviveOneValidatorDown(alice, bob));
    teller.step("redeem-bob", () -> changes.redeemBob(bob));
    teller.step("restore-alice", () -> changes.restoreAlice(alice, carol));
    List<Actor> actors = List.of(alice, bob, carol);
    teller.step("reconcile", () -> reconcile(stage, atStart, actors, 0));
    RecoverChapter recovers = new RecoverChapter(stage);
    teller.step(
        "recover-from-two-devices",
        () ->
            recovers.recoverFromTwoDevices(alice, bob)
                + "; "
                + reconcile(stage, atStart, actors, recovers.burntMinor()));
  }

  /** The second variant of the paper: coins without compliance coins. */
  private void playUnregulated(
      StoryTeller teller, Stage stage, JsonNode atStart, List<Actor> actors) {
    Actor alice = actors.get(0);
    Actor bob = actors.get(1);
    Actor carol = actors.get(2);
    UnregulatedChapter chapter = new UnregulatedChapter(stage);
    teller.step("mint-alice", () -> chapter.mint(alice));
    teller.step("pay-alice-bob", () -> chapter.pay(alice, bob));
    teller.step("pay-on-bob-carol", () -> chapter.payOn(bob, carol));
    teller.step("refuse-double-spend", () -> chapter.refuseDoubleSpend(bob, alice, carol));
    teller.step("restore-alice", () -> chapter.restore(alice, carol));
    teller.step("redeem-carol", () -> chapter.redeem(carol));
    teller.step("reconcile", () -> reconcile(stage, atStart, actors, 0));
  }

  private Actor enter(Stage stage, String name) throws Exception {
    Actor actor = Actor.enter(stage, name);
    open.add(actor);
    canaries.addAll(actor.secrets());
    words.put(name, actor.words());
    return actor;
  }

  /**
   * Checks that the money issued less the money redeemed and burnt in this run is in the wallets,
   * to the cent.
   */
  private String reconcile(Stage stage, JsonNode atStart, List<Actor> actors, long burntMinor)
      throws Exception {
    JsonNode now = stage.operators.supply();
    long wallets = 0;
    for (Actor actor : actors) {
      actor.wallet().settle();
      actor.wallet().receive();
      wallets += actor.total();
    }
    supply =
        new SupplyReport(
            difference(now, atStart, "issuedMinor"),
            difference(now, atStart, "redeemedMinor"),
            difference(now, atStart, "outstandingMinor"),
            burntMinor,
            wallets);
    unless(
        supply.balances(),
        "issued "
            + money(supply.issuedMinor())
            + ", redeemed "
            + money(supply.redeemedMinor())
            + ", burnt "
            + money(supply.burntMinor())
            + ", in wallets "
            + money(supply.walletsMinor()));
    return "issued "
        + money(supply.issuedMinor())
        + " - redeemed "
        + money(supply.redeemedMinor())
        + (burntMinor == 0 ? "" : " - burnt " + money(burntMinor))
        + " = "
        + money(supply.walletsMinor())
        + " in the wallets";
  }

  private static long difference(JsonNode now, JsonNode before, String field) {
    return now.path(field).asLong() - before.path(field).asLong();
  }

  private void close() {
    for (AutoCloseable resource : open.reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        out.println("while stopping: " + e.getMessage());
      }
    }
    open.clear();
  }
}
