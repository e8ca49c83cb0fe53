package io.solidus.wallet.cli;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.GatewayInfo;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.ServiceDirectory;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.trust.SignedManifest;
import io.solidus.wallet.trust.SignedServices;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for the pins of a new wallet. */
final class NetworkOptions {
  private static final URI DEFAULT_GATEWAY = URI.create("http://127.0.0.1:8080");
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @Mixin private KeyOptions keys = new KeyOptions();

  @Option(
      names = "--delegate",
      description =
          "let a prover make the proofs: it sees the payments and cannot make any; needs"
              + " --prover-key")
  private boolean delegate;

  @Option(
      names = "--prover-key",
      paramLabel = "KEY",
      description = {
        "X25519 key (hex or base64) of the prover for --delegate, from the prover's operator; it is"
            + " pinned.",
        "It is not taken from the gateway: its private key reads every payment, so a gateway could"
            + " name its own."
      })
  private @Nullable String proverKey;

  @Option(
      names = "--registration-url",
      paramLabel = "URL",
      description =
          "the service that gets the identity (in a development network; default: the gateway's"
              + " choice, once); it is pinned")
  private @Nullable URI registration;

  @Option(
      names = "--sanctions-url",
      paramLabel = "URL",
      description =
          "the service that publishes the sanction list (in a development network; default: the"
              + " gateway's choice, once); it is pinned")
  private @Nullable URI sanctions;

  @Option(
      names = "--issuance-url",
      paramLabel = "URL",
      description =
          "the issuer's service, which gets funding tokens (in a development network; default: the"
              + " gateway's choice, once); it is pinned")
  private @Nullable URI issuance;

  @Option(
      names = "--redemption-key",
      paramLabel = "KEY",
      description =
          "X25519 key (hex or base64) that payout instructions are sealed to (in a development"
              + " network; default: asked from the issuer's service, once); it is pinned")
  private @Nullable String redemptionKey;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  WalletProfile profile(WalletCommand top) {
    EncryptionKey prover = prover();
    KeyOptions.Pins pins = keys.pins(top);
    Optional<SignedServices> signed = SignedServices.read(pins.folder(), pins.manifestKey());
    if (signed.isPresent()) {
      requireNoServices();
      return signed
          .get()
          .profile(pins.folder(), pins.manifestKey(), pins.classes(), top.firstGateway())
          .withProverKey(prover);
    }
    if (pins.classes().equals(Set.of(KeyClass.CEREMONY))) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the folder " + pins.folder() + " lacks the network's signed services: services.note");
    }
    return development(top, pins, prover);
  }

  /** A development network's services are those that the gateway names, once. */
  private WalletProfile development(
      WalletCommand top, KeyOptions.Pins pins, @Nullable EncryptionKey prover) {
    URI given = top.firstGateway();
    URI gateway = given == null ? DEFAULT_GATEWAY : given;
    try (HttpClient http = Connections.client(TIMEOUT, Set.of(), top.options().proxy())) {
      GatewayClient client =
          new GatewayClient(new RestClient(http, gateway, "the gateway", TIMEOUT));
      GatewayInfo info = client.info();
      return new WalletProfile(
          info.network(),
          SignedManifest.read(pins.folder(), pins.manifestKey()).kind(),
          new CurrencyCode(info.currency()),
          pins.manifestKey(),
          pins.classes(),
          gateway,
          directory().complete(http, info.services(), TIMEOUT),
          pins.folder().toAbsolutePath().toString(),
          prover);
    }
  }

  private void requireNoServices() {
    if (registration != null || sanctions != null || issuance != null || redemptionKey != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "this network's services are signed; leave out those options");
    }
  }

  private ServiceDirectory directory() {
    EncryptionKey issuer =
        redemptionKey == null
            ? null
            : new EncryptionKey(KeyOptions.decode(redemptionKey, "the redemption key"));
    return new ServiceDirectory(registration, sanctions, issuance, issuer);
  }

  private @Nullable EncryptionKey prover() {
    if (delegate != (proverKey != null)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--delegate and --prover-key go together: name the prover that may see the payments");
    }
    return proverKey == null
        ? null
        : new EncryptionKey(KeyOptions.decode(proverKey, "the prover key"));
  }
}
