package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.mailbox.MailServer;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.SignedStatesJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.token.Token;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Client of the gateway's REST API. The gateway is a transport: callers verify every answer.
 *
 * <p>Refusals throw {@code ProtocolException}. Failures of the connection or of the reply's shape
 * throw {@code WalletException} with {@code gateway-unreachable} or {@code gateway-misbehaved}.
 */
@Spec("F-22")
public final class GatewayClient implements MailServer {
  private static final int MAX_LIST_BYTES = 531_440 * 20;

  /** Enough for a hundred authorities that each return a different request of 56 kB. */
  private static final int MAX_STATES_BYTES = 6 << 20;

  /** A manifest of 1 MiB in base64, and its signature. */
  private static final int MAX_KEYS_BYTES = 3 << 19;

  /** A file of shapes of 64 KiB in base64, and its signature. */
  private static final int MAX_SHAPES_BYTES = 3 << 15;

  /** Ten thousand headers, or a table of 65,536. */
  private static final int MAX_HEADER_BYTES = 3 << 20;

  /** A page of messages with their numbers. */
  private static final int MAX_RECORD_BYTES = 1 + PAGE * (8 + 1200);

  /** The code of the first family that a file of shapes can add. */
  private static final long FIRST_SHAPE = Family.CLAIM_16.code();

  private final RestClient rest;
  private final RestClient direct;
  private final TokenSource tokens;
  private volatile @Nullable Unanswered unanswered;

  /** A client whose requests spend no tokens. */
  public GatewayClient(RestClient rest) {
    this(rest, rest, TokenSource.NONE);
  }

  /**
   * A client of a gateway, which may be behind a relay.
   *
   * @param rest for what concerns one wallet
   * @param direct for what is the same for all wallets and too long for a relay
   * @param tokens of which posts, delegated proofs and look-ups spend one each, if there is one
   */
  public GatewayClient(RestClient rest, RestClient direct, TokenSource tokens) {
    this.rest = rest;
    this.direct = direct;
    this.tokens = tokens;
  }

  /**
   * A request that got no answer, and its token.
   *
   * @param request names its bytes
   */
  private record Unanswered(Digest32 request, Token token) {}

  /**
   * Sends a request that costs the gateway something and its sender nothing, with a token. A
   * request that got no answer is repeated with the same token, which is shown with no other one:
   * the gateway would know that both are of one wallet.
   *
   * @param request names its bytes
   */
  private <A> A spending(
      Digest32 request, Map<String, String> headers, Function<Map<String, String>, A> send) {
    Unanswered before = unanswered;
    Optional<Token> token =
        before != null && before.request().equals(request)
            ? Optional.of(before.token())
            : tokens.take();
    unanswered = null;
    Map<String, String> all = new HashMap<>(headers);
    token.ifPresent(spent -> all.put("Authorization", spent.authorization()));
    try {
      return send.apply(all);
    } catch (WalletException e) {
      if (e.error() == WalletError.GATEWAY_UNREACHABLE && token.isPresent()) {
        unanswered = new Unanswered(request, token.get());
      }
      throw e;
    }
  }

  /** The keys of tokens as a note, not verified; {@code not-found} where there are none. */
  public String tokenKeys() {
    return rest.getText("/v1/tokens/keys");
  }

  public GatewayInfo info() {
    return ReplyJson.read("the gateway's description", rest.get("/v1/info"), GatewayClient::info);
  }

  /**
   * The families that the network takes, as the gateway says, in the versions of this wallet's
   * circuits. An older gateway says nothing, and takes none beside those of the manifest.
   */
  public Set<Family> families(Map<Family, KeySet.Circuit> circuits) {
    JsonNode answer;
    try {
      answer = rest.get("/v1/capabilities");
    } catch (ProtocolException e) {
      if (e.code() == RejectionCode.NOT_FOUND) {
        return Set.of();
      }
      throw e;
    }
    return ReplyJson.read(
        "the gateway's capabilities",
        answer,
        all -> {
          Map<Long, List<Integer>> versions = new HashMap<>();
          ReplyJson.each(all, "families", one -> one)
              .forEach(one ->
                  versions.put(
                      ReplyJson.number(one, "code"), ReplyJson.numbers(one, "circuitVersions")));
          Set<Family> taken = EnumSet.noneOf(Family.class);
          circuits.forEach((family, circuit) -> {
            if (versions
                .getOrDefault((long) family.code(), List.of())
                .contains(circuit.version())) {
              taken.add(family);
            }
          });
          return taken;
        });
  }

  /** The signed manifest, not verified. */
  public ServedManifest manifest() {
    return signedFile(
        "the key manifest", "/v1/keys", MAX_KEYS_BYTES, "manifest", ServedManifest::new);
  }

  /** The signed shapes, not verified; {@code not-found} where the network has none. */
  public ServedShapes shapes() {
    return signedFile(
        "the shapes", "/v1/keys/shapes", MAX_SHAPES_BYTES, "shapes", ServedShapes::new);
  }

  /** The bytes of a file and of its signature, in this order. */
  private <T> T signedFile(
      String what, String path, int limit, String member, BiFunction<byte[], byte[], T> served) {
    return ReplyJson.read(
        what,
        ReplyJson.parse(rest.getBytes(path, limit)),
        answer ->
            served.apply(
                Base64Url.decode(ReplyJson.text(answer, member), member),
                Base64Url.decode(ReplyJson.text(answer, "signature"), "signature")));
  }

  /**
   * Whether the gateway says that the network takes a family of another shape than the manifest's.
   */
  public boolean takesShapes() {
    return ReplyJson.read(
        "the gateway's capabilities",
        rest.get("/v1/capabilities"),
        all ->
            ReplyJson.each(all, "families", one -> ReplyJson.number(one, "code")).stream()
                .anyMatch(code -> code >= FIRST_SHAPE));
  }

  /**
   * A piece of a file that the manifest names, not verified.
   *
   * @param digest of the file
   * @param from number of bytes before the piece
   * @throws WalletException {@code gateway-misbehaved} for another number of bytes
   */
  public byte[] keyFile(Digest32 digest, long from, int length) {
    byte[] piece =
        direct.getBytes(
            "/v1/keys/files/" + digest.hex(),
            Map.of("Range", "bytes=" + from + "-" + (from + length - 1)),
            length);
    if (piece.length != length) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED,
          "the gateway sent " + piece.length + " bytes of a key instead of " + length);
    }
    return piece;
  }

  public String policyNote() {
    return rest.getText("/v1/policy");
  }

  public String checkpointNote() {
    return rest.getText("/v1/sanctions/checkpoint");
  }

  public byte[] sanctionList(long version) {
    return direct.getBytes("/v1/sanctions/checkpoints/" + version + "/list", MAX_LIST_BYTES);
  }

  public SignedReply submitTransfer(TxCore core, TransferRequest request) {
    return signed(
        rest.post(
            "/v1/transfers",
            ReplyJson.tree(TransferRequestJson.of(request)),
            RestClient.idempotencyKey(core)));
  }

  public SignedReply submitRecover(TxCore core, RecoverRequest request) {
    return signed(
        rest.post(
            "/v1/recovers",
            ReplyJson.tree(RecoverRequestJson.of(request)),
            RestClient.idempotencyKey(core)));
  }

  /** The partial signatures of the validators on a submitted transfer. */
  public SignedReply transfer(TxCore core, SerialNumber lead) {
    return signed(
        spending(
            core.value(),
            Map.of(),
            headers ->
                rest.get(
                    "/v1/transfers/"
                        + core.hex()
                        + "?lead="
                        + RestClient.segment(Base64Url.encode(lead.bytes())),
                    headers)));
  }

  public SignedReply submitMint(TxCore core, MintRequest request) {
    return signed(
        rest.post(
            "/v1/mints",
            ReplyJson.tree(MintRequestJson.of(request)),
            RestClient.idempotencyKey(core)));
  }

  public SignedReply signRegistration(
      TxCore core, RegisterRequest request, String attestationNote) {
    Map<String, Object> body =
        Map.of("request", RegisterRequestJson.of(request), "attestationNote", attestationNote);
    return signed(
        rest.post(
            "/v1/registrations/signatures", ReplyJson.tree(body), RestClient.idempotencyKey(core)));
  }

  /**
   * The answers for serial numbers.
   *
   * @param serials few at a time: the answer may hold one request per serial number and authority
   * @param nonce for which the authorities sign
   */
  public CoinStateReply coinStates(List<SerialNumber> serials, Digest32 nonce) {
    List<String> asked = serials.stream().map(serial -> Base64Url.encode(serial.bytes())).toList();
    JsonNode answer =
        spending(
            nonce,
            Map.of(),
            headers ->
                rest.post(
                    "/v1/coins/state",
                    ReplyJson.tree(
                        Map.of("serials", asked, "nonce", Base64Url.encode(nonce.bytes()))),
                    headers,
                    MAX_STATES_BYTES));
    CoinStateReply reply = ReplyJson.read("the states of coins", answer, GatewayClient::coinStates);
    if (!reply.coins().stream().map(CoinStateReply.Coin::serial).toList().equals(serials)) {
      throw ReplyJson.misbehaved(
          "the gateway answered for other serial numbers than those of the question", null);
    }
    return reply;
  }

  /** The sealed proof of a sealed witness, from the prover service. */
  public byte[] prove(Family family, SealedMessage witness) {
    Map<String, Object> body =
        Map.of(
            "family", family.code(),
            "encapsulatedKey", Base64Url.encode(witness.encapsulatedKey()),
            "sealedWitness", Base64Url.encode(witness.ciphertext()));
    return ReplyJson.read(
        "a sealed proof",
        spending(
            Digest32.sha256(witness.encapsulatedKey(), witness.ciphertext()),
            RestClient.idempotencyKey(
                Digest32.sha256(witness.encapsulatedKey(), witness.ciphertext())),
            headers -> rest.post("/v1/proofs", ReplyJson.tree(body), headers)),
        answer -> Base64Url.decode(ReplyJson.text(answer, "sealedProof"), "sealedProof"));
  }

  /**
   * Posts a message; one that is posted again within a day is stored once.
   *
   * @param bucket of the reader
   * @return the message's number
   */
  public long postMailbox(byte[] blob, MailboxBucket bucket) {
    return postMailbox(blob, bucket, null);
  }

  /**
   * As {@link #postMailbox(byte[], MailboxBucket)}.
   *
   * @param tag of the request that it pays, which tells the gateway who waits for the message; null
   *     for none. A gateway that knows no tags refuses it as malformed-request
   */
  public long postMailbox(byte[] blob, MailboxBucket bucket, @Nullable RequestToken tag) {
    Map<String, Object> body = new HashMap<>(Map.of("blob", Base64Url.encode(blob)));
    if (!bucket.isWhole()) {
      body.put("bucket", bucket.number());
    }
    if (tag != null) {
      body.put("tag", Base64Url.encode(tag.bytes()));
    }
    return ReplyJson.read(
        "the number of a posted message",
        spending(
            Digest32.sha256(blob),
            RestClient.idempotencyKey(Digest32.sha256(blob)),
            headers -> rest.post("/v1/mailbox", ReplyJson.tree(body), headers)),
        answer -> ReplyJson.number(answer, "sequence"));
  }

  /** The messages that were posted with a tag, as the gateway says. */
  public TaggedPage tagged(RequestToken tag) {
    return ReplyJson.read(
        "the messages with a tag",
        rest.get("/v1/mailbox/tags/" + tag.hex()),
        answer ->
            new TaggedPage(
                ReplyJson.each(answer, "entries", GatewayClient::entry),
                answer.path("full").asBoolean(false)));
  }

  /**
   * Waits until the gateway says that there is another message with a tag.
   *
   * @param after number of the newest one that is known; 0 for none
   * @return false when it did not say so; also at once, when no stream can be opened, as behind a
   *     relay
   */
  public boolean awaitTagged(RequestToken tag, long after, Duration patience) {
    return rest.awaitEvent("/v1/mailbox/tags/" + tag.hex() + "/events?after=" + after, patience);
  }

  /** At most {@code limit} messages for readers of a bucket, with numbers above {@code after}. */
  public MailboxPage mailbox(MailboxBucket bucket, long after, int limit) {
    if (bucket.isWhole()) {
      return mailbox(after, limit);
    }
    byte[] octets =
        rest.getBytes(
            "/v1/mailbox/buckets/" + bucket.number() + "?after=" + after + "&limit=" + limit,
            MailboxPage.maxBytes(limit));
    try {
      return MailboxPage.ofBucket(octets, after, limit);
    } catch (IllegalArgumentException e) {
      throw ReplyJson.misbehaved("the gateway sent no page of a bucket: " + e.getMessage(), e);
    }
  }

  /** At most {@code limit} messages with numbers above {@code after}. */
  public MailboxPage mailbox(long after, int limit) {
    return ReplyJson.read(
        "a mailbox page",
        rest.get("/v1/mailbox?after=" + after + "&limit=" + limit),
        answer ->
            new MailboxPage(
                    ReplyJson.each(answer, "entries", GatewayClient::entry), digestAt(answer))
                .requireRange(after, limit, ReplyJson.number(answer, "next")));
  }

  @Override
  public String note() {
    return rest.getText("/v1/mailbox/tables/note");
  }

  @Override
  public byte[] headers(MailboxBucket bucket, long after, long upto) {
    return rest.getBytes(
        "/v1/mailbox/tables/" + bucket.number() + "/headers?after=" + after + "&upto=" + upto,
        MAX_HEADER_BYTES);
  }

  @Override
  public byte[] records(MailboxBucket bucket, long after, long upto) {
    return rest.getBytes(
        "/v1/mailbox/tables/"
            + bucket.number()
            + "/records?after="
            + after
            + "&upto="
            + upto
            + "&limit="
            + PAGE,
        MAX_RECORD_BYTES);
  }

  @Override
  public Map<Integer, byte[]> query(Map<Integer, SealedMessage> shares) {
    List<Map<String, Object>> sealed = new ArrayList<>();
    shares.forEach((authority, share) ->
        sealed.add(
            Map.of(
                "authority",
                authority,
                "encapsulatedKey",
                Base64Url.encode(share.encapsulatedKey()),
                "sealedShare",
                Base64Url.encode(share.ciphertext()))));
    return ReplyJson.read(
        "the answers to a query",
        spending(
            Digest32.sha256(
                shares.values().stream().map(SealedMessage::ciphertext).toArray(byte[][]::new)),
            Map.of(),
            headers ->
                rest.post(
                    "/v1/mailbox/queries", ReplyJson.tree(Map.of("shares", sealed)), headers)),
        answer -> {
          Map<Integer, byte[]> answers = new HashMap<>();
          for (JsonNode each : answer.path("answers").values()) {
            if (each.hasNonNull("sealedAnswer")) {
              answers.put(
                  Math.toIntExact(ReplyJson.number(each, "authority")),
                  Base64Url.decode(ReplyJson.text(each, "sealedAnswer"), "sealedAnswer"));
            }
          }
          return answers;
        });
  }

  private static Optional<Digest32> digestAt(JsonNode page) {
    return page.hasNonNull("at")
        ? Optional.of(Digest32.of(Base64Url.decode(ReplyJson.text(page, "at"), "at")))
        : Optional.empty();
  }

  private static GatewayInfo info(JsonNode answer) {
    Map<String, URI> services = new HashMap<>();
    answer
        .path("urls")
        .properties()
        .forEach(entry -> services.put(entry.getKey(), URI.create(entry.getValue().asString())));
    return new GatewayInfo(
        new NetworkId(ReplyJson.text(answer, "networkId")),
        NetworkKind.valueOf(ReplyJson.text(answer, "networkKind").toUpperCase(Locale.ROOT)),
        ReplyJson.text(answer, "currency"),
        services);
  }

  private static SignedReply signed(JsonNode answer) {
    return ReplyJson.read(
        "a signed answer",
        answer,
        node -> {
          List<PartialSignature> partials =
              ReplyJson.each(
                  node, "partials", p -> ReplyJson.value(p, PartialSignatureJson.class).toDomain());
          List<G1Point> combined = new ArrayList<>();
          for (JsonNode point : node.path("combined")) {
            combined.add(G1Point.of(Base64Url.decode(point.asString(), "combined")));
          }
          return new SignedReply(partials, combined);
        });
  }

  /** What cannot be read of an authority's answer counts as none. */
  private static CoinStateReply coinStates(JsonNode answer) {
    return new CoinStateReply(
        ReplyJson.each(answer, "states", GatewayClient::coin),
        readable(answer, "signed", SignedStatesJson.class, SignedStatesJson::toDomain));
  }

  private static CoinStateReply.Coin coin(JsonNode state) {
    return new CoinStateReply.Coin(
        SerialNumber.of(Base64Url.decode(ReplyJson.text(state, "serial"), "serial")),
        requests(state, "requests", TransferRequestJson.class, TransferRequestJson::toDomain),
        requests(state, "recovers", RecoverRequestJson.class, RecoverRequestJson::toDomain));
  }

  private static <J, T> List<T> requests(
      JsonNode state, String name, Class<J> json, Function<J, T> read) {
    return state.has(name)
        ? ReplyJson.each(state, name, shown -> readable(shown.path("request"), json, read)).stream()
            .flatMap(Optional::stream)
            .toList()
        : List.of();
  }

  /** The readable entries of a list that an old gateway leaves out. */
  private static <J, T> List<T> readable(
      JsonNode node, String name, Class<J> json, Function<J, T> read) {
    return node.has(name)
        ? ReplyJson.each(node, name, entry -> readable(entry, json, read)).stream()
            .flatMap(Optional::stream)
            .toList()
        : List.of();
  }

  private static <J, T> Optional<T> readable(JsonNode node, Class<J> json, Function<J, T> read) {
    try {
      return node.isObject()
          ? Optional.of(read.apply(ReplyJson.value(node, json)))
          : Optional.empty();
    } catch (ProtocolException | IllegalArgumentException | JacksonException e) {
      return Optional.empty();
    }
  }

  private static MailboxPage.Entry entry(JsonNode entry) {
    return new MailboxPage.Entry(
        ReplyJson.number(entry, "sequence"),
        Base64Url.decode(ReplyJson.text(entry, "blob"), "blob"));
  }
}
