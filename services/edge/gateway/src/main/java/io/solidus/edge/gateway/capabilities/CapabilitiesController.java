package io.solidus.edge.gateway.capabilities;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.coins.CoinStateService;
import io.solidus.edge.gateway.mailbox.MailTableProperties;
import io.solidus.edge.gateway.mailbox.MailboxLimits;
import io.solidus.edge.gateway.parameters.KeyFolder;
import io.solidus.edge.gateway.proofs.ProverClient;
import io.solidus.platform.problem.ProblemProperties;
import io.solidus.platform.publicapi.PublicApiProperties;
import io.solidus.protocol.Address;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.wire.token.Token;
import io.solidus.wire.token.TokenChallenge;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/capabilities")
@Tag(name = "parameters")
class CapabilitiesController {
  private static final Duration CACHED = Duration.ofMinutes(5);

  private final Capabilities capabilities;

  CapabilitiesController(
      NetworkId network,
      NetworkKind kind,
      KeySet keys,
      KeyFolder folder,
      GatewayProperties gateway,
      MailTableProperties tables,
      ProblemProperties bodies,
      PublicApiProperties api) {
    this.capabilities =
        new Capabilities(
            network.value(),
            kind.name().toLowerCase(Locale.ROOT),
            gateway.currency(),
            List.of(
                new Capabilities.Api(
                    PublicApiProperties.VERSION, api.deprecatedAt(), api.sunsetAt())),
            families(keys),
            new Capabilities.Formats(
                TxCore.DOMAIN,
                Address.VERSION,
                Policy.FORMAT,
                SanctionCheckpoint.FORMAT,
                folder.format(),
                keys.manifestDigest().hex()),
            offers(kind, keys, folder, gateway, tables),
            limits(gateway, bodies),
            tokens(gateway.tokens()));
  }

  private static Capabilities.@Nullable Tokens tokens(GatewayProperties.Tokens tokens) {
    return tokens.isOn()
        ? new Capabilities.Tokens(Token.SCHEME, TokenChallenge.TYPE, tokens.origin())
        : null;
  }

  private static List<Capabilities.FamilyOffer> families(KeySet keys) {
    return keys.circuits().entrySet().stream()
        .sorted(Comparator.comparingInt(circuit -> circuit.getKey().code()))
        .map(circuit ->
            new Capabilities.FamilyOffer(
                circuit.getKey().name().toLowerCase(Locale.ROOT),
                circuit.getKey().code(),
                List.of(circuit.getValue().version())))
        .toList();
  }

  private static Capabilities.Offers offers(
      NetworkKind kind,
      KeySet keys,
      KeyFolder folder,
      GatewayProperties gateway,
      MailTableProperties tables) {
    return new Capabilities.Offers(
        kind == NetworkKind.REGULATED && keys.circuits().containsKey(Family.REGISTER),
        keys.circuits().containsKey(Family.RECOVER),
        !gateway.proverAddress().isEmpty(),
        true,
        tables.isOn(),
        true,
        true,
        true,
        folder.hasProvingKeys());
  }

  private static Capabilities.Limits limits(GatewayProperties gateway, ProblemProperties bodies) {
    return new Capabilities.Limits(
        bodies.bodyLimit().toBytes(),
        bodies.bodyDeadline().toSeconds(),
        gateway.requestTimeout().toSeconds(),
        ProverClient.LIMIT.toSeconds(),
        MailboxLimits.MESSAGE_BYTES,
        MailboxLimits.MAX_PAGE,
        gateway.mailboxRetention().toDays(),
        CoinStateService.MAX_SERIALS,
        MailboxLimits.KEY_DAYS,
        ProverClient.KEY_KEPT.toSeconds(),
        gateway.streams().lifetime().toSeconds());
  }

  @GetMapping
  @Operation(
      operationId = "readCapabilities",
      summary = "What this network speaks",
      description =
          "Versions, formats, limits and what is offered. Members are added over time and keep"
              + " their meaning.")
  ResponseEntity<Capabilities> capabilities() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.maxAge(CACHED).cachePublic())
        .body(capabilities);
  }
}
