package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.OtlpCollector.Span;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces and metrics of payments, and the values that they must not contain. */
@Tag("process")
class ObservedPaymentsTest {
  private static final Duration EXPORT_LIMIT = Duration.ofMinutes(2);
  private static final String WALLET_TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String WALLET_SPAN = "b7ad6b7169203331";
  private static final List<String> SENT_BY_THE_WALLET =
      List.of(
          WALLET_TRACE,
          WALLET_SPAN,
          "canary-state",
          "canary-baggage",
          "canary-agent",
          "203.0.113.77",
          "127.0.0.1");
  private static final Set<String> ALLOWED =
      Set.of(
          "service.name",
          "solidus.authority",
          "solidus.shard",
          "solidus.kind",
          "solidus.batch.size",
          "solidus.outcome",
          "http.request.method",
          "http.route",
          "http.response.status_code");
  private static final int PAYMENTS = 6;

  private static ObservedCommittee committee;
  private static List<TransferRequest> paid;
  private static TransferRequest conflicting;
  private static final List<String> TRACES = new ArrayList<>();

  @BeforeAll
  static void pay(@TempDir Path folder) throws Exception {
    committee = new ObservedCommittee(folder);
    String seed = UUID.randomUUID().toString();
    paid = committee.transfers(seed, PAYMENTS, 0);
    conflicting = committee.transfers(seed, 1, 1).getFirst();
    for (TransferRequest request : paid) {
      RestProbe.Answer answer = submit(request);
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      TRACES.add(answer.header("X-Trace-Id"));
    }
    assertThat(submit(conflicting).code()).isEqualTo("serial-conflict");
    String lead = Base64Url.encode(paid.getFirst().statement().leadSerial().bytes());
    assertThat(get("/v1/transfers/" + core(paid.getFirst()) + "?lead=" + lead).status())
        .isEqualTo(200);
    committee.rest.post("/v1/coins/state", Map.of("serials", List.of(lead)), wallet());
    get("/v1/mailbox?from=0&tag=" + lead);
    get("/no-such-path/" + core(paid.getFirst()));
    Eventually.holds(EXPORT_LIMIT, () -> TRACES.forEach(ObservedPaymentsTest::assertWholeTrace));
  }

  @AfterAll
  static void stop() {
    if (committee != null) {
      committee.close();
    }
  }

  private static RestProbe.Answer submit(TransferRequest request) {
    List<String> headers = new ArrayList<>(List.of(wallet()));
    headers.addAll(List.of("Idempotency-Key", core(request)));
    return committee.rest.post(
        "/v1/transfers",
        WireJson.write(TransferRequestJson.of(request)),
        headers.toArray(String[]::new));
  }

  private static RestProbe.Answer get(String path) {
    return committee.rest.get(path, wallet());
  }

  private static String[] wallet() {
    return new String[] {
      "traceparent",
      "00-" + WALLET_TRACE + "-" + WALLET_SPAN + "-01",
      "tracestate",
      "vendor=canary-state",
      "baggage",
      "wallet=canary-baggage",
      "User-Agent",
      "canary-agent",
      "X-Forwarded-For",
      "203.0.113.77"
    };
  }

  private static String core(TransferRequest request) {
    return request.statement().core(ObservedCommittee.NETWORK).hex();
  }

  /**
   * One tree of spans from the gateway through every authority's coordinating shard to its signer.
   */
  private static void assertWholeTrace(String traceId) {
    List<Span> trace = spansOf(traceId);
    assertThat(trace.stream().filter(span -> span.parentId().isEmpty()))
        .singleElement()
        .satisfies(ObservedPaymentsTest::isPayment);
    for (int authority = 1; authority <= ObservedCommittee.AUTHORITIES; authority++) {
      assertThat(of(trace, "solidus-validator", authority))
          .as("shards of authority %d", authority)
          .contains(
              "solidus.v1.ValidatorService/SubmitTransfer",
              "batch",
              "check stage",
              "reserve stage",
              "sign stage",
              "store stage");
      assertThat(of(trace, "solidus-signer", authority))
          .as("signer of authority %d", authority)
          .contains(
              "solidus.v1.SignerService/CheckTransfers",
              "solidus.v1.SignerService/SignTransfers",
              "record stage");
    }
    Map<String, Span> byId =
        trace.stream().collect(Collectors.toMap(Span::spanId, Function.identity()));
    assertThat(trace)
        .allSatisfy(span ->
            assertThat(span.parentId().isEmpty() || byId.containsKey(span.parentId())).isTrue());
  }

  private static void isPayment(Span root) {
    assertThat(root.name()).isEqualTo("http");
    assertThat(root.attributes())
        .isEqualTo(
            Map.of(
                "http.request.method",
                "POST",
                "http.route",
                "/v1/transfers",
                "http.response.status_code",
                "200"));
    assertThat(root.source()).isEqualTo(Map.of("service.name", "solidus-gateway"));
  }

  @Test
  void tracesContainTheSiblingShardsThatReserveSerialNumbers() {
    List<String> asked =
        TRACES.stream()
            .flatMap(id -> spansOf(id).stream())
            .filter(span ->
                span.name().equals("solidus.v1.ShardService/ReserveAll")
                    && span.source().containsKey("solidus.shard"))
            .map(span -> span.source().get("solidus.authority"))
            .distinct()
            .toList();
    // six transfers of several serial numbers over two shards: the chance that all are in one shard
    // is below 1:1000
    assertThat(asked).containsExactlyInAnyOrder("1", "2", "3", "4");
  }

  @Test
  void noSpanContainsAValueOfARequest() {
    List<String> found = new ArrayList<>();
    List<TransferRequest> all = new ArrayList<>(paid);
    all.add(conflicting);
    for (TransferRequest request : all) {
      linkable(request)
          .forEach((what, value) -> forms(value).forEach(form -> search(what, form, found)));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void noSpanContainsAHeaderOfTheWallet() {
    List<String> found = new ArrayList<>();
    for (String sent : SENT_BY_THE_WALLET) {
      search(sent, sent.getBytes(StandardCharsets.US_ASCII), found);
    }
    search("the wallet's trace", HexFormat.of().parseHex(WALLET_TRACE), found);
    search("the wallet's span", HexFormat.of().parseHex(WALLET_SPAN), found);
    assertThat(found).isEmpty();
    assertThat(TRACES).doesNotContain(WALLET_TRACE).doesNotHaveDuplicates();
  }

  @Test
  void spansHaveOnlyAllowedAttributes() {
    assertThat(committee.collector.spans())
        .isNotEmpty()
        .allSatisfy(span -> {
          assertThat(ALLOWED)
              .containsAll(span.attributes().keySet())
              .containsAll(span.source().keySet());
          assertThat(span.events()).isZero();
        });
  }

  @Test
  void metricsMatchTheReference() throws Exception {
    MetricsReference reference = MetricsReference.read();
    List<String> wrong = new ArrayList<>();
    Map<String, List<String>> metrics = committee.metrics();
    assertThat(metrics.keySet()).containsExactly("gateway", "shard", "signer");
    assertThat(metrics.get("shard"))
        .hasSize(ObservedCommittee.AUTHORITIES * ObservedCommittee.SHARDS);
    assertThat(metrics.get("signer")).hasSize(ObservedCommittee.AUTHORITIES);
    metrics.forEach((service, bodies) ->
        bodies.forEach(body -> wrong.addAll(reference.differences(service, body))));
    assertThat(wrong.stream().distinct()).isEmpty();
  }

  @Test
  void noMetricContainsAValueOfARequest() {
    String all =
        committee.metrics().values().stream().flatMap(List::stream).collect(Collectors.joining());
    for (TransferRequest request : paid) {
      linkable(request).values().stream()
          .flatMap(value -> forms(value).stream().skip(1))
          .forEach(
              form -> assertThat(all).doesNotContain(new String(form, StandardCharsets.US_ASCII)));
    }
  }

  @Test
  void theSearchFindsPresentValues() {
    List<String> found = new ArrayList<>();
    search("method", "SubmitTransfer".getBytes(StandardCharsets.US_ASCII), found);
    search("trace", HexFormat.of().parseHex(TRACES.getFirst()), found);
    assertThat(found).containsExactly("method", "trace");
  }

  private static Map<String, byte[]> linkable(TransferRequest request) {
    Map<String, byte[]> values = new TreeMap<>();
    values.put("core", request.statement().core(ObservedCommittee.NETWORK).bytes());
    values.put(
        "input digest", request.statement().inputDigest(ObservedCommittee.NETWORK).value().bytes());
    values.put("context", request.statement().context().bytes());
    int i = 0;
    for (SerialNumber serial : request.statement().serials()) {
      values.put("serial " + i++, serial.bytes());
    }
    for (BlindedCoin coin : request.statement().outputs()) {
      values.put("commitment " + i, coin.cm().bytes());
      values.put("blinded point " + i++, coin.k().bytes());
    }
    return values;
  }

  /** The bytes, hexadecimal in both cases, both alphabets of base 64, and decimal. */
  private static List<byte[]> forms(byte[] value) {
    String hex = HexFormat.of().formatHex(value);
    return List.of(
        value,
        ascii(hex),
        ascii(hex.toUpperCase(Locale.ROOT)),
        ascii(Base64.getEncoder().withoutPadding().encodeToString(value)),
        ascii(Base64.getUrlEncoder().withoutPadding().encodeToString(value)),
        ascii(new BigInteger(1, value).toString()));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void search(String what, byte[] wanted, List<String> found) {
    String needle = new String(wanted, StandardCharsets.ISO_8859_1);
    if (committee.collector.bodies().stream()
        .anyMatch(body -> new String(body, StandardCharsets.ISO_8859_1).contains(needle))) {
      found.add(what);
    }
  }

  private static List<Span> spansOf(String traceId) {
    return committee.collector.spans().stream()
        .filter(span -> span.traceId().equals(traceId))
        .toList();
  }

  private static List<String> of(List<Span> trace, String service, int authority) {
    return trace.stream()
        .filter(span -> service.equals(span.source().get("service.name")))
        .filter(span -> Integer.toString(authority).equals(span.source().get("solidus.authority")))
        .map(Span::name)
        .toList();
  }
}
