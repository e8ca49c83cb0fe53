package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.demo.Actor;
import io.solidus.dev.sandbox.demo.Stage;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.ApiTap;
import io.solidus.dev.testkit.HappyPaths;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.wallet.Payment;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What people do on a day without incidents, so that calls succeed that random requests cannot make
 * succeed: they need a proof, two persons, or a certain state. Taps before the services compare
 * every answer with its document, and the body of every request that succeeds.
 */
final class Preludes implements AutoCloseable {
  /** The taps' ports are so far above the services'. */
  private static final int IN_FRONT = 40;

  private static final long MINTED = 9_000;
  private static final long WITHDRAWN = 1_500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Sandbox sandbox;
  private final HappyPaths paths;
  private final Tokens tokens;
  private final Path ofac;
  private final List<ApiTap> taps = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final SandboxOptions tapped;

  /** A part of the day. */
  private interface Part {
    void play() throws Exception;
  }

  /**
   * Puts the taps in front of the services.
   *
   * @param paths remembers what succeeded
   * @param ofac the list that is in force
   */
  Preludes(Sandbox sandbox, HappyPaths paths, Tokens tokens, Path ofac) throws IOException {
    this.sandbox = sandbox;
    this.paths = paths;
    this.tokens = tokens;
    this.ofac = ofac;
    Ports real = sandbox.options().ports();
    this.tapped = sandbox.options().withPorts(real.inFront(IN_FRONT));
    Ports front = tapped.ports();
    tap("gateway", front.gateway(), real.gateway());
    tap("registration", front.registration(), real.registration());
    tap("registration", front.registrationAdmin(), real.registrationAdmin());
    tap("sanctions", front.sanctions(), real.sanctions());
    tap("sanctions", front.sanctionsAdmin(), real.sanctionsAdmin());
    tap("issuance", front.issuance(), real.issuance());
    tap("issuance", front.issuanceAdmin(), real.issuanceAdmin());
  }

  private void tap(String service, int port, int target) throws IOException {
    taps.add(new ApiTap(port, target, paths.of(service)));
  }

  /**
   * Plays all of them.
   *
   * @return what failed, and what the documents do not say
   */
  List<String> play() throws Exception {
    Ports front = tapped.ports();
    URI gateway = URI.create("http://127.0.0.1:" + front.gateway());
    RestProbe rest = new RestProbe(front.gateway());
    Events events = new Events(http, gateway);
    GatewayClient client = new GatewayClient(new RestClient(http, gateway, "gateway", TIMEOUT));
    MailPrelude mail =
        new MailPrelude(
            tapped.network(), sandbox.installation().replicas(tapped.authorities()), client, rest);
    part("mail", () -> mail.post(events));
    part("keys", () -> new KeysPrelude(client, rest).fetch());
    Desk registration = new Desk(front.registration(), front.registrationAdmin(), tokens);
    Desk sanctions = new Desk(front.sanctions(), front.sanctionsAdmin(), tokens);
    Desk issuance = new Desk(front.issuance(), front.issuanceAdmin(), tokens);
    BankPrelude bank = new BankPrelude(issuance);
    try (Stage stage = new Stage(tapped, sandbox.installation());
        Actor ada = Actor.enter(stage, "Ada")) {
      KycPrelude kyc = new KycPrelude(registration, stage);
      part("registration", () -> kyc.register(ada));
      part("a listed person", kyc::registerListed);
      part("a second registration", () -> kyc.registerAgain(ada.person()));
      part("tokens", () -> tokens(ada, registration));
      MoneyPrelude money = new MoneyPrelude(issuance, bank, stage.operators());
      part("mints", () -> money.mint(ada, MINTED));
      part(
          "a withdrawal",
          () -> {
            Payment payment = money.withdraw(ada, WITHDRAWN);
            find(client, events, payment);
            money.payOut(payment);
          });
      part("a reversal", money::reverseFunding);
      part("bank", bank::explain);
      RulesPrelude rules = new RulesPrelude(sanctions, stage.operators());
      part("a list", () -> rules.importMore(ofac));
      part("an address", () -> rules.delist(ada.wallet().addressText()));
      part("private queries", mail::query);
      part("a halt", rules::haltAndGoOn);
    }
    List<String> all = new ArrayList<>(failed);
    taps.forEach(tap -> all.addAll(tap.findings()));
    return all;
  }

  /** Goes on with the next part after one that failed, so that one run tells of all. */
  private void part(String name, Part part) {
    long begun = System.nanoTime();
    try {
      part.play();
    } catch (Exception | AssertionError e) {
      e.printStackTrace(System.out);
      failed.add(name + ": " + e);
    }
    System.out.println(
        "api-fuzz prelude " + name + "|" + Duration.ofNanos(System.nanoTime() - begun).toMillis());
  }

  /** The wallet gets a day's tokens when it reads its mail. */
  private static void tokens(Actor actor, Desk registration) {
    actor.wallet().receive();
    assertThat(actor.wallet().status().tokens()).isPositive();
    registration.read("/v1/tokens/keys");
  }

  private static void find(GatewayClient client, Events events, Payment payment) throws Exception {
    assertThat(client.transfer(payment.core(), payment.lead())).isNotNull();
    String stream =
        "/v1/transfers/"
            + payment.core().hex()
            + "/events?lead="
            + Base64Url.encode(payment.lead().bytes());
    assertThat(events.first(stream)).isEqualTo("transfer");
  }

  @Override
  public void close() {
    taps.forEach(ApiTap::close);
    http.shutdownNow();
  }
}
