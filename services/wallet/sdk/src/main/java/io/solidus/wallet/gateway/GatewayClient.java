package io.solidus.wallet.gateway;

import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The gateway's REST API. The gateway is a transport: whatever it answers is checked by whoever
 * uses it.
 */
public final class GatewayClient {
  private static final int MAX_LIST_BYTES = 531_440 * 20;
  private static final int MAX_MANIFEST_BYTES = 4 << 20;

  /** A hundred authorities that each show another request, of at most 40 kB. */
  private static final int MAX_STATES_BYTES = 4 << 20;

  private final RestClient rest;

  public GatewayClient(RestClient rest) {
    this.rest = rest;
  }

  public GatewayInfo info() {
    return Answer.read("the gateway's description", rest.get("/v1/info"), GatewayClient::info);
  }

  /** The exact bytes of the signed manifest. */
  public byte[] manifest() {
    return Answer.read(
        "the key manifest",
        rest.get("/v1/keys"),
        answer -> Base64Url.decode(Answer.text(answer, "manifest"), "manifest"));
  }

  public String policyNote() {
    return rest.getText("/v1/policy");
  }

  public String checkpointNote() {
    return rest.getText("/v1/sanctions/checkpoint");
  }

  public byte[] sanctionList(long version) {
    return rest.getBytes("/v1/sanctions/checkpoints/" + version + "/list", MAX_LIST_BYTES);
  }

  public SignedReply submitTransfer(TxCore core, TransferRequest request) {
    return signed(
        rest.post("/v1/transfers", Answer.tree(TransferRequestJson.of(request)), idempotent(core)));
  }

  /** What validators have signed for a core. */
  public SignedReply transfer(TxCore core, SerialNumber lead) {
    return signed(
        rest.get(
            "/v1/transfers/"
                + core.hex()
                + "?lead="
                + RestClient.segment(Base64Url.encode(lead.bytes()))));
  }

  public SignedReply submitMint(TxCore core, MintRequest request) {
    return signed(
        rest.post("/v1/mints", Answer.tree(MintRequestJson.of(request)), idempotent(core)));
  }

  public SignedReply signRegistration(
      TxCore core, RegisterRequest request, String attestationNote) {
    Map<String, Object> body =
        Map.of("request", RegisterRequestJson.of(request), "attestationNote", attestationNote);
    return signed(rest.post("/v1/registrations/signatures", Answer.tree(body), idempotent(core)));
  }

  /**
   * @param serials few: each may bring as many requests as there are authorities
   */
  public List<CoinState> coinStates(List<SerialNumber> serials) {
    List<String> asked = serials.stream().map(serial -> Base64Url.encode(serial.bytes())).toList();
    JsonNode answer =
        rest.post(
            "/v1/coins/state", Answer.tree(Map.of("serials", asked)), Map.of(), MAX_STATES_BYTES);
    List<CoinState> states =
        Answer.read(
            "the states of coins",
            answer,
            node -> Answer.each(node, "states", GatewayClient::coinState));
    if (!states.stream().map(CoinState::serial).toList().equals(serials)) {
      throw Answer.misbehaved("the gateway answered for other serial numbers than asked", null);
    }
    return states;
  }

  /** The sealed proof for a sealed witness. */
  public byte[] prove(Family family, SealedMessage witness) {
    Map<String, Object> body =
        Map.of(
            "family", family.code(),
            "encapsulatedKey", Base64Url.encode(witness.encapsulatedKey()),
            "sealedWitness", Base64Url.encode(witness.ciphertext()));
    return Answer.read(
        "a sealed proof",
        rest.post("/v1/proofs", Answer.tree(body), Map.of()),
        answer -> Base64Url.decode(Answer.text(answer, "sealedProof"), "sealedProof"));
  }

  public void postMailbox(byte[] blob) {
    rest.post("/v1/mailbox", Answer.tree(Map.of("blob", Base64Url.encode(blob))), Map.of());
  }

  public MailboxPage mailbox(long after, int limit) {
    return Answer.read(
        "a mailbox page",
        rest.get("/v1/mailbox?after=" + after + "&limit=" + limit),
        answer ->
            new MailboxPage(
                Answer.each(answer, "entries", GatewayClient::entry),
                Answer.number(answer, "next")));
  }

  private static GatewayInfo info(JsonNode answer) {
    Map<String, URI> services = new HashMap<>();
    answer
        .path("urls")
        .properties()
        .forEach(entry -> services.put(entry.getKey(), URI.create(entry.getValue().asString())));
    return new GatewayInfo(
        new NetworkId(Answer.text(answer, "networkId")),
        NetworkKind.valueOf(Answer.text(answer, "networkKind").toUpperCase(Locale.ROOT)),
        Answer.text(answer, "currency"),
        services);
  }

  private static SignedReply signed(JsonNode answer) {
    return Answer.read(
        "a signed answer",
        answer,
        node -> {
          List<PartialSignature> partials =
              Answer.each(
                  node, "partials", p -> Answer.value(p, PartialSignatureJson.class).toDomain());
          List<G1Point> combined = new ArrayList<>();
          for (JsonNode point : node.path("combined")) {
            combined.add(G1Point.of(Base64Url.decode(point.asString(), "combined")));
          }
          return new SignedReply(partials, combined);
        });
  }

  private static CoinState coinState(JsonNode state) {
    return new CoinState(
        SerialNumber.of(Base64Url.decode(Answer.text(state, "serial"), "serial")),
        Answer.numbers(state, "unspent"),
        Answer.each(state, "requests", GatewayClient::shown));
  }

  /** A request of which nothing can be read is one more that is not this wallet's. */
  private static CoinState.Shown shown(JsonNode shown) {
    return new CoinState.Shown(
        Answer.numbers(shown, "authorities"), request(shown.path("request")));
  }

  private static Optional<TransferRequest> request(JsonNode request) {
    try {
      return request.isObject()
          ? Optional.of(Answer.value(request, TransferRequestJson.class).toDomain())
          : Optional.empty();
    } catch (ProtocolException | IllegalArgumentException | JacksonException unreadable) {
      return Optional.empty();
    }
  }

  private static MailboxPage.Entry entry(JsonNode entry) {
    return new MailboxPage.Entry(
        Answer.number(entry, "sequence"), Base64Url.decode(Answer.text(entry, "blob"), "blob"));
  }

  private static Map<String, String> idempotent(TxCore core) {
    return Map.of("Idempotency-Key", core.hex());
  }
}
