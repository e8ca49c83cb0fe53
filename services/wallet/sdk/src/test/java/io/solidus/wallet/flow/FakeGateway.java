package io.solidus.wallet.flow;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.MintWitness;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.RecoverTerms;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.proving.ProofSource;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wire.Codecs;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.ProofEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.SignedStatesJson;
import io.solidus.wire.json.TransferRequestJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gateway, registration and issuance services in memory behind one HTTP server. They sign with a
 * real committee and misbehave as {@link GatewayFaults} say.
 */
final class FakeGateway implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  final GatewayFaults faults = new GatewayFaults();
  final FakeRules rules = new FakeRules();
  final FakeCommittee committee;
  final List<String> routes = new CopyOnWriteArrayList<>();
  private volatile ProofCheck check;
  private volatile ProofSource proofs;
  final FakeIssuer mint = new FakeIssuer();
  final FakeTokens tokens = new FakeTokens();
  final FakeTables tables = new FakeTables();
  final List<TransferRequest> transfers = new ArrayList<>();
  final List<RecoverRequest> recovers = new ArrayList<>();
  private volatile boolean realProofs;
  final HpkePrivateKey proverKey = HpkePrivateKey.generate(new SecureRandom());
  final HpkePrivateKey issuerKey = HpkePrivateKey.generate(new SecureRandom());
  private final List<String> mailbox = new ArrayList<>();
  private final Map<String, MailboxBucket> buckets = new ConcurrentHashMap<>();

  /** Blobs by the hexadecimal tag with which they were posted. */
  final Map<String, List<String>> tagged = new ConcurrentHashMap<>();

  private final Map<String, String> cases = new LinkedHashMap<>();
  private final List<String> organisations = new CopyOnWriteArrayList<>();
  private final Set<String> approvedCases = new HashSet<>();
  private final HttpServer server;
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private boolean registrationsApproved = true;

  private final TestNetwork network;

  /**
   * Starts the server of a regulated network.
   *
   * @param platform makes the proofs of the prover and verifies those of the wallets
   */
  FakeGateway(WalletPlatform platform) {
    this(TestNetwork.get(), platform);
  }

  FakeGateway(TestNetwork network, WalletPlatform platform) {
    this.network = network;
    this.check = platform.proofCheck();
    this.proofs = platform.localProofs();
    this.realProofs = platform == network.platform;
    this.committee = new FakeCommittee(network, rules, () -> check);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(worker);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Replaces the proofs of the prover and the verification of the wallets' proofs. */
  void use(WalletPlatform platform) {
    check = platform.proofCheck();
    proofs = platform.localProofs();
    realProofs = platform == network.platform;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void approveRegistrations(boolean approve) {
    registrationsApproved = approve;
  }

  /** Approves the cases that are open now; later ones wait. */
  void approveOpenRegistrations() {
    approvedCases.addAll(cases.keySet());
  }

  /** What organisations said of themselves. */
  List<String> organisations() {
    return organisations;
  }

  List<String> mailbox() {
    return mailbox;
  }

  /** Everything that the services store, except rules and lists. */
  record Stored(
      List<FakeAuthority.Stored> authorities,
      FakeIssuer.Stored issuer,
      List<String> mailbox,
      Map<String, String> cases) {}

  Stored stored() {
    return new Stored(
        committee.authorities().map(FakeAuthority::stored).toList(),
        mint.stored(),
        List.copyOf(mailbox),
        new LinkedHashMap<>(cases));
  }

  /** Sets the services back, or forth, to what they stored at another time. */
  void restore(Stored stored) {
    for (FakeAuthority.Stored authority : stored.authorities()) {
      committee.authority(authority.index()).restore(authority);
    }
    mint.restore(stored.issuer());
    mailbox.clear();
    mailbox.addAll(stored.mailbox());
    cases.clear();
    cases.putAll(stored.cases());
  }

  @Override
  public void close() {
    server.stop(0);
    worker.shutdownNow();
    rules.close();
  }

  /** Closes the connection without an answer. */
  private static final class LostAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        String route = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        faults.onExchange.accept("before " + route);
        byte[] answer = answer(exchange);
        faults.onExchange.accept("after " + route);
        exchange.getResponseHeaders().set("Content-Type", type(exchange.getRequestURI().getPath()));
        send(exchange, 200, answer);
      } catch (ProtocolException e) {
        send(
            exchange,
            e.code().http(),
            JSON.writeValueAsBytes(Map.of("code", e.code().code(), "detail", e.detail())));
      } catch (LostAnswer e) {
        // the connection is closed without an answer
      } catch (RuntimeException e) {
        e.printStackTrace();
        send(
            exchange,
            500,
            JSON.writeValueAsBytes(Map.of("code", "internal", "detail", "see the test's log")));
      }
    }
  }

  private static String type(String path) {
    return path.endsWith("/list")
        ? "application/octet-stream"
        : path.equals("/v1/mailbox/tables/note")
                || path.equals("/v1/tokens/keys")
                || path.equals("/v1/policy")
                || path.equals("/v1/sanctions/checkpoint")
            ? "text/plain"
            : "application/json";
  }

  private byte[] answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String route = exchange.getRequestMethod() + " " + path;
    routes.add(route);
    tokens.note(route, exchange.getRequestHeaders().getFirst("Authorization"));
    if (route.startsWith("GET /v1/sanctions/checkpoints/")) {
      return faults.list.apply(rules.list(Long.parseLong(path.split("/", -1)[4])));
    }
    if (route.startsWith("GET /v1/keys/files/")) {
      return keyFile(
          path.substring("/v1/keys/files/".length()),
          exchange.getRequestHeaders().getFirst("Range"));
    }
    if (route.startsWith("GET /v1/mailbox/buckets/")) {
      return readBucket(
          new MailboxBucket(Integer.parseInt(path.split("/", -1)[4])),
          exchange.getRequestURI().getQuery());
    }
    if (route.startsWith("GET /v1/mailbox/tables/") && !path.endsWith("/note")) {
      MailboxBucket bucket = new MailboxBucket(Integer.parseInt(path.split("/", -1)[4]));
      Map<String, Long> query = numbers(exchange.getRequestURI().getQuery());
      return path.endsWith("/headers")
          ? tables.headers(bucket, query)
          : tables.records(bucket, query);
    }
    return switch (route) {
      case "GET /v1/mailbox/tables/note" -> tables.note().getBytes(StandardCharsets.UTF_8);
      case "GET /v1/tokens/keys" -> tokens.keys().getBytes(StandardCharsets.UTF_8);
      case "GET /v1/policy" ->
          faults.policyNote.apply(rules.policyNote()).getBytes(StandardCharsets.UTF_8);
      case "GET /v1/sanctions/checkpoint" ->
          faults.checkpointNote.apply(rules.checkpointNote()).getBytes(StandardCharsets.UTF_8);
      default -> JSON.writeValueAsBytes(json(exchange, route, path));
    };
  }

  private static Map<String, Long> numbers(String query) {
    Map<String, Long> numbers = new HashMap<>();
    for (String each : query.split("&", -1)) {
      String[] parts = each.split("=", -1);
      numbers.put(parts[0], Long.valueOf(parts[1]));
    }
    return numbers;
  }

  /** Closes the tables of what was posted, at the time of a clock. */
  void closeTables(Clock clock) {
    tables.close(clock, mailbox, this::bucketOf);
  }

  private Object json(HttpExchange exchange, String route, String path) throws IOException {
    if (route.startsWith("GET /v1/mints/")) {
      return mint.status(path.substring("/v1/mints/".length()));
    }
    if (route.startsWith("GET /v1/mailbox/tags/") && !path.endsWith("/events")) {
      return readTagged(path.substring("/v1/mailbox/tags/".length()));
    }
    if (route.startsWith("GET /v1/transfers/")) {
      return transfer(exchange.getRequestURI().getQuery());
    }
    if (route.startsWith("GET /v1/registrations/")) {
      return registrationStatus(path.substring("/v1/registrations/".length()), exchange);
    }
    if (route.startsWith("POST /v1/registrations/") && path.endsWith("/tokens")) {
      String id = path.split("/", -1)[3];
      if (!cases.containsKey(id)
          || !("token-" + id).equals(exchange.getRequestHeaders().getFirst("X-Case-Token"))) {
        throw new ProtocolException(RejectionCode.NOT_FOUND, "no such case");
      }
      return tokens.issue(id, JSON.readTree(exchange.getRequestBody()));
    }
    return switch (route) {
      case "GET /v1/info" -> info();
      case "GET /v1/keys" -> keys();
      case "GET /v1/capabilities" -> capabilities();
      case "GET /v1/mailbox" -> readMailbox(exchange.getRequestURI().getQuery());
      case "GET /v1/redemption-key" ->
          Map.of("publicKey", Base64Url.encode(issuerKey.publicKey().bytes()));
      default -> post(route, JSON.readTree(exchange.getRequestBody()));
    };
  }

  private byte[] keyFile(String digest, String range) throws IOException {
    String[] bounds = range.substring("bytes=".length()).split("-", -1);
    try (Stream<Path> files = Files.list(network.committee.keysDir())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] content = Files.readAllBytes(file);
        if (Digest32.sha256(content).hex().equals(digest)) {
          return Arrays.copyOfRange(
              content, Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]) + 1);
        }
      }
    }
    throw new ProtocolException(RejectionCode.NOT_FOUND, "no such key");
  }

  private Map<String, Object> capabilities() {
    return Map.of(
        "families",
        network.keys.circuits().entrySet().stream()
            .filter(circuit -> !faults.withoutShapes || !circuit.getKey().isShape())
            .map(circuit ->
                Map.of(
                    "name",
                    circuit.getKey().name().toLowerCase(Locale.ROOT),
                    "code",
                    circuit.getKey().code(),
                    "circuitVersions",
                    List.of(circuit.getValue().version())))
            .toList());
  }

  private Map<String, String> keys() throws IOException {
    Map<String, byte[]> other = faults.keys;
    Path own = network.committee.keysDir();
    Map<String, byte[]> served =
        other == null
            ? Map.of(
                "manifest", Files.readAllBytes(own.resolve("manifest.json")),
                "signature", Files.readAllBytes(own.resolve("manifest.sig")))
            : other;
    return Map.of(
        "manifest", Base64Url.encode(served.get("manifest")),
        "signature", Base64Url.encode(served.get("signature")));
  }

  private Object post(String route, JsonNode body) {
    return switch (route) {
      case "POST /v1/transfers" ->
          submit(JSON.treeToValue(body, TransferRequestJson.class).toDomain());
      case "POST /v1/recovers" ->
          recover(JSON.treeToValue(body, RecoverRequestJson.class).toDomain());
      case "POST /v1/coins/state" -> states(body);
      case "POST /v1/mailbox/queries" -> tables.query(body);
      case "POST /v1/mailbox" -> postMailbox(body);
      case "POST /v1/mints" -> body.has("fundingId") ? requestMint(body) : signMint(body);
      case "POST /v1/registrations" -> register(body);
      case "POST /v1/registrations/signatures" -> signRegistration(body);
      case "POST /v1/redemptions" -> redeem(body);
      case "POST /v1/proofs" -> prove(body);
      default -> throw new ProtocolException(RejectionCode.NOT_FOUND, route);
    };
  }

  private Object info() {
    URI services = faults.services;
    String base = (services == null ? uri() : services).toString();
    return Map.of(
        "networkId",
        TestCommittee.NETWORK.value(),
        "networkKind",
        Objects.requireNonNullElse(
            faults.kind, network.keys.kind().name().toLowerCase(Locale.ROOT)),
        "currency",
        "EUR",
        "n",
        4,
        "f",
        1,
        "circuitVersions",
        Map.of(),
        "urls",
        Map.of("registration", base, "sanctions", base, "issuance", base));
  }

  private Object submit(TransferRequest request) {
    transfers.add(request);
    if (faults.onTransfer != null) {
      faults.onTransfer.accept(request);
    }
    RejectionCode refusal = faults.refusesTransfers;
    if (refusal != null) {
      throw new ProtocolException(refusal, "as the gateway says");
    }
    if (faults.lostRequests.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new LostAnswer();
    }
    Object answer = certificate(committee.submit(request));
    if (faults.lostReplies.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new LostAnswer();
    }
    return answer;
  }

  private Object recover(RecoverRequest request) {
    recovers.add(request);
    if (faults.onRecover != null) {
      faults.onRecover.accept(request);
    }
    requireVerifies(request);
    Object answer = certificate(committee.submit(request));
    if (faults.lostReplies.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new LostAnswer();
    }
    return answer;
  }

  /** With real proofs, as a validator: all below it under the rules that each names. */
  private void requireVerifies(RecoverRequest request) {
    if (!realProofs) {
      return;
    }
    List<RecoverTerms> terms =
        request.below().stream()
            .filter(TransferBelow.class::isInstance)
            .map(below -> ((TransferBelow) below).evidence())
            .map(evidence ->
                new RecoverTerms(rules.limits(evidence.policyVersion()), rules.tree().root()))
            .toList();
    requireOk(
        network.verifier.verifyRecover(
            request, request.resolve(TestCommittee.NETWORK).core(), terms));
  }

  private Object transfer(String query) {
    SerialNumber lead =
        SerialNumber.of(Base64Url.decode(query.substring("lead=".length()), "lead"));
    TransferRequest request =
        committee
            .stored(lead)
            .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "unknown"));
    return certificate(committee.submit(request));
  }

  private Object certificate(FakeCommittee.Certificate certificate) {
    boolean tamper = faults.wrongCombined || faults.partialsKept < certificate.partials().size();
    List<G1Point> combined =
        tamper
            ? certificate.combined().stream().map(p -> network.keys.committee().y1()).toList()
            : certificate.combined();
    return Map.of(
        "core", certificate.core().hex(),
        "partials",
            certificate.partials().stream()
                .limit(faults.partialsKept)
                .map(PartialSignatureJson::of)
                .toList(),
        "combined", combined.stream().map(point -> Base64Url.encode(point.bytes())).toList(),
        "faulty", List.of());
  }

  private Object states(JsonNode body) {
    if (faults.coinStatesDown) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM, "fewer than a quorum of authorities answered");
    }
    Digest32 nonce = Digest32.of(Base64Url.decode(body.path("nonce").asString(), "nonce"));
    List<Map<String, Object>> states = new ArrayList<>();
    Map<Integer, List<SerialStates.State>> said = new TreeMap<>();
    for (JsonNode serial : body.path("serials")) {
      states.add(state(serial.asString(), said));
    }
    List<SignedStates> signed = new ArrayList<>();
    said.forEach((authority, all) -> {
      if (!faults.hidesSpentCoins || all.stream().allMatch(one -> one.core().isEmpty())) {
        signed.add(signed(authority, nonce, all));
      }
    });
    return Map.of(
        "states",
        states,
        "signed",
        faults.signedStates.apply(signed).stream().map(SignedStatesJson::of).toList());
  }

  private SignedStates signed(int authority, Digest32 nonce, List<SerialStates.State> states) {
    return SignedStates.sign(
        network.noteSigners.get(authority - 1),
        authority,
        TestCommittee.NETWORK,
        nonce,
        new SerialStates(
            1,
            Objects.requireNonNullElseGet(faults.floors.apply(authority), rules::floors),
            states));
  }

  /**
   * The unsigned state of a serial number.
   *
   * @param said gets what each authority says
   */
  private Map<String, Object> state(String serial, Map<Integer, List<SerialStates.State>> said) {
    SerialNumber lead = SerialNumber.of(Base64Url.decode(serial, "serial"));
    List<Integer> unspent = new ArrayList<>();
    Map<TransferRequest, List<Integer>> shown = new LinkedHashMap<>();
    Map<RecoverRequest, List<Integer>> recovers = new LinkedHashMap<>();
    committee
        .lookUp(lead)
        .forEach((authority, truth) -> {
          Optional<TransferRequest> reported =
              faults.lookUps.getOrDefault(authority, (any, request) -> request).apply(lead, truth);
          Optional<TxCore> holder =
              faults.lookUps.containsKey(authority)
                  ? Optional.empty()
                  : committee.authority(authority).holder(lead);
          said.computeIfAbsent(authority, any -> new ArrayList<>())
              .add(said(lead, reported, holder));
          if (!faults.hidesSpentCoins && !faults.stripsRequests) {
            committee
                .authority(authority)
                .recovers(lead)
                .forEach(
                    one -> recovers.computeIfAbsent(one, any -> new ArrayList<>()).add(authority));
          }
          reported
              .filter(r -> !faults.hidesSpentCoins && !faults.stripsRequests)
              .ifPresentOrElse(
                  request ->
                      shown.computeIfAbsent(request, any -> new ArrayList<>()).add(authority),
                  () -> unspent.add(authority));
        });
    return Map.of(
        "serial",
        serial,
        "recovers",
        recovers.entrySet().stream()
            .map(entry ->
                Map.of(
                    "authorities",
                    entry.getValue(),
                    "core",
                    entry.getKey().resolve(TestCommittee.NETWORK).core().hex(),
                    "request",
                    RecoverRequestJson.of(entry.getKey())))
            .toList(),
        "status",
        shown.isEmpty() ? "unspent" : "reserved",
        "unspent",
        unspent,
        "requests",
        shown.entrySet().stream()
            .map(entry ->
                Map.of(
                    "authorities",
                    entry.getValue(),
                    "core",
                    entry.getKey().statement().core(TestCommittee.NETWORK).hex(),
                    "request",
                    TransferRequestJson.of(entry.getKey())))
            .toList());
  }

  /**
   * What an authority signs about a serial number.
   *
   * @param stored the request that it shows
   * @param holder the core that holds it, for a serial number that leads none
   */
  private static SerialStates.State said(
      SerialNumber serial, Optional<TransferRequest> stored, Optional<TxCore> holder) {
    return stored
        .map(request ->
            SerialStates.State.held(
                serial,
                request.statement().core(TestCommittee.NETWORK),
                Optional.of(Codecs.digest(request))))
        .or(() -> holder.map(core -> SerialStates.State.held(serial, core, Optional.empty())))
        .orElseGet(() -> SerialStates.State.free(serial));
  }

  private Object postMailbox(JsonNode body) {
    if (faults.mailboxDown) {
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "the mailbox is unavailable");
    }
    if (faults.refusesNextBlob) {
      faults.refusesNextBlob = false;
      faults.refusedBlobs.add(body.path("blob").asString());
    }
    if (faults.refusedBlobs.contains(body.path("blob").asString())) {
      throw ProtocolException.malformed("this blob is refused");
    }
    if (Base64Url.decode(body.path("blob").asString(), "blob").length != 1200) {
      throw ProtocolException.malformed("1200 bytes");
    }
    if (body.has("tag")) {
      if (faults.knowsNoTags) {
        throw ProtocolException.malformed("an unknown member");
      }
      String tag = HexFormat.of().formatHex(Base64Url.decode(body.path("tag").asString(), "tag"));
      tagged
          .computeIfAbsent(tag, any -> new CopyOnWriteArrayList<>())
          .add(body.path("blob").asString());
      if (faults.keepsTaggedOnly) {
        return Map.of("sequence", mailbox.size() + 1);
      }
    }
    mailbox.add(body.path("blob").asString());
    if (body.has("bucket")) {
      buckets.put(body.path("blob").asString(), new MailboxBucket(body.path("bucket").asInt()));
    }
    return Map.of("sequence", faults.postedNumber == 0 ? mailbox.size() : faults.postedNumber);
  }

  private Object readTagged(String tag) {
    if (faults.tagsDown) {
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "no tags now");
    }
    List<String> blobs = faults.dropsTags ? List.of() : tagged.getOrDefault(tag, List.of());
    List<Map<String, Object>> entries = new ArrayList<>();
    for (int i = 0; i < Math.min(64, blobs.size()); i++) {
      entries.add(Map.of("sequence", i + 1, "blob", blobs.get(i)));
    }
    return Map.of("entries", entries, "full", entries.size() == 64);
  }

  private Object readMailbox(String query) {
    long after = Long.parseLong(query.split("&", -1)[0].substring("after=".length()));
    int limit = Integer.parseInt(query.split("&", -1)[1].substring("limit=".length()));
    Supplier<Map<String, Object>> lie = faults.mailboxPages.poll();
    if (lie != null) {
      return lie.get();
    }
    List<Map<String, Object>> entries = new ArrayList<>();
    for (long i = after; i < Math.min(mailbox.size(), after + limit); i++) {
      entries.add(Map.of("sequence", i + 1, "blob", mailbox.get((int) i)));
    }
    long next = entries.isEmpty() ? after : after + entries.size();
    return after >= 1 && after <= mailbox.size()
        ? Map.of("entries", entries, "next", next, "at", digest(mailbox.get((int) after - 1)))
        : Map.of("entries", entries, "next", next);
  }

  /** Keeps the newest message with its header and another body; gives what was posted. */
  String changeLastMessage() {
    String sealed = mailbox.removeLast();
    byte[] other = Base64Url.decode(sealed, "blob");
    other[600] ^= 1;
    String changed = Base64Url.encode(other);
    buckets.put(changed, bucketOf(sealed));
    mailbox.add(changed);
    return sealed;
  }

  /** The bucket to which a message was posted. */
  MailboxBucket bucketOf(String blob) {
    return buckets.getOrDefault(blob, MailboxBucket.WHOLE);
  }

  private byte[] readBucket(MailboxBucket bucket, String query) throws IOException {
    long after = Long.parseLong(query.split("&", -1)[0].substring("after=".length()));
    int limit = Integer.parseInt(query.split("&", -1)[1].substring("limit=".length()));
    long next = Math.max(after, mailbox.size());
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    int found = 0;
    for (long i = after; i < mailbox.size() && found < limit; i++) {
      String blob = mailbox.get((int) i);
      if (bucket.reads(bucketOf(blob))) {
        records.writeBytes(ByteBuffer.allocate(8).putLong(i + 1).array());
        records.writeBytes(Base64Url.decode(blob, "blob"));
        found++;
        next = found == limit ? i + 1 : next;
      }
    }
    byte[] page =
        ByteBuffer.allocate(73 + records.size())
            .put((byte) 1)
            .put(digestOf(after))
            .putLong(next)
            .put(digestOf(next))
            .put(records.toByteArray())
            .array();
    UnaryOperator<byte[]> lie = faults.bucketPages.poll();
    return lie == null ? page : lie.apply(page);
  }

  private byte[] digestOf(long number) {
    return number < 1 || number > mailbox.size()
        ? new byte[32]
        : Digest32.sha256(Base64Url.decode(mailbox.get((int) number - 1), "blob")).bytes();
  }

  private static String digest(String blob) {
    return Base64Url.encode(Digest32.sha256(Base64Url.decode(blob, "blob")).bytes());
  }

  private Object requestMint(JsonNode body) {
    mint.request(body.path("mint").path("mintId").asString());
    return Map.of("status", "awaiting-approval");
  }

  private Object signMint(JsonNode body) {
    MintRequest request = JSON.treeToValue(body, MintRequestJson.class).toDomain();
    requireOk(check.verifyMint(request));
    return certificate(
        committee.sign(
            request.statement().core(TestCommittee.NETWORK),
            Outputs.of(TestCommittee.NETWORK, request.statement())));
  }

  private Object register(JsonNode body) {
    String id = "case-" + cases.size();
    JsonNode json = body.path("registration");
    Apk apk = Apk.of(Base64Url.decode(json.path("apk").asString(), "apk"));
    BlindedCoin coin =
        new BlindedCoin(
            FieldElement.of(Base64Url.decode(json.path("cm").asString(), "cm")),
            G1Point.of(Base64Url.decode(json.path("k").asString(), "k")));
    Attestation attestation =
        new Attestation(
            Digest32.sha256(),
            new RegisterStatement(apk, coin).core(TestCommittee.NETWORK),
            apk,
            1);
    if (body.has("organisation")) {
      organisations.add(body.path("organisation").toString());
    }
    cases.put(id, FakeRules.note(attestation.toNoteText(TestCommittee.NETWORK), 1));
    return Map.of("caseId", id, "accessToken", "token-" + id, "status", "pending");
  }

  private Object registrationStatus(String id, HttpExchange exchange) {
    if (!cases.containsKey(id)
        || !("token-" + id).equals(exchange.getRequestHeaders().getFirst("X-Case-Token"))) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no such case");
    }
    return registrationsApproved || approvedCases.contains(id)
        ? Map.of("caseId", id, "status", "approved", "attestationNote", cases.get(id))
        : Map.of("caseId", id, "status", "pending");
  }

  private Object signRegistration(JsonNode body) {
    RegisterRequest request =
        JSON.treeToValue(body.path("request"), RegisterRequestJson.class).toDomain();
    Attestation attestation =
        Attestation.parse(
            TestCommittee.NETWORK,
            SignedNote.parse(body.path("attestationNote").asString()).text());
    if (!attestation.registerCore().equals(request.statement().core(TestCommittee.NETWORK))) {
      throw new ProtocolException(RejectionCode.ATTESTATION_INVALID, "not attested");
    }
    requireOk(check.verifyRegister(request));
    return certificate(
        committee.sign(
            request.statement().core(TestCommittee.NETWORK),
            Outputs.of(TestCommittee.NETWORK, request.statement())));
  }

  private Object redeem(JsonNode body) {
    if (faults.redemptionDown) {
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "the issuer is unavailable");
    }
    TransferRequest request =
        JSON.treeToValue(body.path("request"), TransferRequestJson.class).toDomain();
    if (body.path("partials").size() < 3) {
      throw new ProtocolException(
          RejectionCode.SIGNATURE_INVALID, "2f+1 partial signatures are needed");
    }
    mint.redeem(
        request.statement().leadSerial().hex(),
        request.statement().withdrawn().minor(),
        request.attachments().payoutBlock());
    return Map.of("status", "accepted");
  }

  private Object prove(JsonNode body) {
    Family family = Family.of(body.path("family").asInt());
    SealedMessage message =
        new SealedMessage(
            Base64Url.decode(body.path("encapsulatedKey").asString(), "encapsulatedKey"),
            Base64Url.decode(body.path("sealedWitness").asString(), "sealedWitness"));
    try (ProofEnvelope.Opened opened =
        ProofEnvelope.open(proverKey, TestCommittee.NETWORK, family, message)) {
      byte[] proof =
          switch (family) {
            case TRANSFER, CLAIM_16 ->
                proofs.proveTransfer(TransferWitness.fromBytes(opened.witness(), family));
            case TRANSFER_UNREGULATED ->
                proofs.proveUnregulated(UnregulatedWitness.fromBytes(opened.witness()));
            case REGISTER -> proofs.proveRegister(RegisterWitness.fromBytes(opened.witness()));
            default -> proofs.proveMint(MintWitness.fromBytes(opened.witness()));
          };
      return Map.of(
          "sealedProof",
          Base64Url.encode(opened.sealProof(faults.proof.apply(proof), new SecureRandom())));
    }
  }

  private static void requireOk(NativeErrorCode verdict) {
    if (verdict != NativeErrorCode.OK) {
      throw new ProtocolException(RejectionCode.PROOF_INVALID, verdict.toString());
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
