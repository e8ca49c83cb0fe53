package io.solidus.dev.sandbox.demo;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MailboxBucket;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wallet.gateway.ServiceDirectory;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.store.PassphraseCost;
import io.solidus.wire.json.Base64Url;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The environment of the story: the running platform, its operators, and the shared parts of
 * wallets.
 */
public final class Stage implements AutoCloseable {
  static final char[] PASSPHRASE = "a passphrase for the demonstration".toCharArray();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final SandboxOptions options;
  final Operators operators;
  final ControlClient control;
  final ValidatorProbe probe;
  final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  final URI gateway;
  final String run;
  private final byte[] manifestKey;
  private final KeySet keys;
  private final Prover prover;
  final WalletPlatform wallets;
  private @org.jspecify.annotations.Nullable ServicePins pins;

  /** A stage in front of a running sandbox. */
  public Stage(SandboxOptions options, Installation installation) throws Exception {
    this.options = options;
    this.operators = new Operators(options.ports(), installation);
    this.control = new ControlClient(options.ports().control(), installation.controlToken());
    this.probe = new ValidatorProbe(options);
    this.gateway = local(options.ports().gateway());
    this.run = runName();
    this.manifestKey = Base64.getDecoder().decode(installation.manifestKey());
    this.keys =
        KeySet.open(
            options.keys(),
            options.network(),
            options.kind(),
            Set.of(KeyClass.DEVELOPMENT),
            manifestKey);
    this.prover = Prover.open(keys, 1);
    this.wallets = WalletPlatform.over(keys, prover);
  }

  /** The bank's people. */
  public Operators operators() {
    return operators;
  }

  /** Six random letters, so that each run of the story has persons of its own. */
  private static String runName() {
    SecureRandom random = new SecureRandom();
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      name.append((char) ('a' + random.nextInt(26)));
    }
    return name.toString();
  }

  WalletProfile profile(byte @org.jspecify.annotations.Nullable [] proverKey) {
    return new WalletProfile(
        options.network(),
        options.kind(),
        new CurrencyCode("EUR"),
        manifestKey,
        Set.of(KeyClass.DEVELOPMENT),
        gateway,
        services(),
        options.keys().toString(),
        proverKey == null ? null : new EncryptionKey(proverKey));
  }

  /** The pins that a user would get from the bank and the registration service. */
  private ServicePins services() {
    if (pins == null) {
      Ports ports = options.ports();
      pins =
          new ServiceDirectory(
                  local(ports.registration()),
                  local(ports.sanctions()),
                  local(ports.issuance()),
                  null)
              .complete(http, Map.of(), Duration.ofSeconds(30));
    }
    return pins;
  }

  private static URI local(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * Options of the wallets of the story, which read buckets of the mailbox.
   *
   * @param patience how long a wallet keeps trying before it says that a transfer is in flight
   */
  WalletOptions walletOptions(Duration patience) {
    return WalletOptions.defaults()
        .withMaxMailboxDelay(Duration.ofMillis(200))
        .withPassphraseCost(new PassphraseCost(8 * 1024, 1, 1))
        .withPatience(patience)
        .withMailboxBits(MailboxBucket.MAX_BITS);
  }

  /** Text of a public page of the gateway. */
  String gatewayText(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(gateway.resolve(path)).timeout(Duration.ofSeconds(30)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)).body();
  }

  /** The prover service's key, as the gateway returns it. */
  byte[] proverKey() throws Exception {
    String key =
        JsonMapper.builder()
            .build()
            .readTree(gatewayText("/v1/info"))
            .path("proverKey")
            .asString("");
    if (key.isEmpty()) {
      throw new StoryFailure("the gateway names no prover");
    }
    return Base64Url.decode(key, "proverKey");
  }

  /** Waits until the condition holds. @throws StoryFailure when it does not in time */
  void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      if (holds(condition)) {
        return;
      }
      Thread.sleep(200);
    }
    throw new StoryFailure("not within " + PATIENCE.toSeconds() + " s: " + what);
  }

  private static boolean holds(Callable<Boolean> condition) throws Exception {
    try {
      return condition.call();
    } catch (io.grpc.StatusRuntimeException e) {
      return false;
    }
  }

  /** An amount of minor units as text. */
  static String money(long minor) {
    return String.format(Locale.ROOT, "EUR %,d.%02d", minor / 100, minor % 100);
  }

  @Override
  public void close() {
    wallets.close();
    prover.close();
    keys.close();
  }
}
