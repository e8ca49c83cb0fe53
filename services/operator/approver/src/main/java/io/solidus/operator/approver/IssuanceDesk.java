package io.solidus.operator.approver;

import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of the issuance service's admin API with one approver's access token. */
final class IssuanceDesk implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration CALL = Duration.ofSeconds(30);
  private static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;
  private static final int MAX_TOKEN_BYTES = 16 * 1024;
  private static final int MAX_PAGES = 50;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final URI base;
  private final String token;

  /**
   * Reads the access token.
   *
   * @param base https, or http on this machine
   */
  IssuanceDesk(URI base, Path tokenFile) {
    String host = base.getHost();
    boolean plain = "http".equals(base.getScheme()) && host != null && LOOPBACK.contains(host);
    if (host == null || !("https".equals(base.getScheme()) || plain)) {
      throw ApproveException.refused(
          "address-invalid", "the issuance service's address must begin with https://");
    }
    this.base = URI.create(base + (base.toString().endsWith("/") ? "" : "/"));
    byte[] read = PrivateFiles.read(tokenFile, "the access token's file", MAX_TOKEN_BYTES);
    this.token = new String(read, StandardCharsets.US_ASCII).strip();
    Arrays.fill(read, (byte) 0);
    if (!token.matches("[A-Za-z0-9._~+/-]+=*")) {
      throw ApproveException.file("the access token's file holds no token");
    }
  }

  /** The mints that wait for approvals, in the order of their requests. */
  List<MintView> waiting() {
    List<MintView> waiting = new ArrayList<>();
    String cursor = "";
    for (int page = 0; page < MAX_PAGES; page++) {
      JsonNode answer = get("admin/v1/mints?status=awaiting-approval&limit=200" + cursor);
      answer.path("mints").forEach(mint -> waiting.add(MintView.of(mint)));
      if (!answer.path("next").isIntegralNumber()) {
        return waiting;
      }
      cursor = "&cursor=" + answer.path("next").asLong();
    }
    return waiting;
  }

  /**
   * The mint with this id.
   *
   * @throws ApproveException answer-invalid when the service shows another mint
   */
  MintView mint(MintId id) {
    MintView view = MintView.of(get("admin/v1/mints/" + Base64Url.encode(id.bytes())));
    if (!view.statement().mintId().equals(id)) {
      throw ApproveException.refused("answer-invalid", "the service shows another mint");
    }
    return view;
  }

  /** The money that a mint is issued against, in one line: what the service says of it. */
  String funding(String fundingId) {
    if (!fundingId.matches("[A-Za-z0-9._:-]{1,64}")) {
      throw ApproveException.refused("answer-invalid", "the mint's funding has no readable id");
    }
    JsonNode funding = get("admin/v1/fundings/" + fundingId);
    return "funding %s: %d minor units, of which %d are free, from %s, recorded by %s"
        .formatted(
            fundingId,
            funding.path("amountMinor").asLong(-1),
            funding.path("remainingMinor").asLong(-1),
            MintView.text(funding, "accountReference"),
            MintView.text(funding, "recordedBy"));
  }

  /** Adds an approval. */
  MintView approve(MintId id, MintApproval approval) {
    return MintView.of(
        post(
            "admin/v1/mints/" + Base64Url.encode(id.bytes()) + "/approvals",
            Map.of(
                "approver",
                approval.approver(),
                "signature",
                Base64Url.encode(approval.signature()))));
  }

  /** Refuses a mint finally. */
  MintView refuse(MintId id, String reason) {
    return MintView.of(
        post(
            "admin/v1/mints/" + Base64Url.encode(id.bytes()) + "/refusal",
            Map.of("reason", reason)));
  }

  private JsonNode get(String path) {
    return send(request(path).GET());
  }

  private JsonNode post(String path, Map<String, String> body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(CALL)
        .header("Accept", "application/json")
        .header("Authorization", "Bearer " + token);
  }

  private JsonNode send(HttpRequest.Builder request) {
    Future<JsonNode> call = calls.submit(() -> exchange(request.build()));
    try {
      return call.get(CALL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApproveException known) {
        throw known;
      }
      throw ApproveException.unavailable("the issuance service cannot be reached at " + base);
    } catch (TimeoutException e) {
      throw ApproveException.unavailable("the issuance service did not answer in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApproveException.unavailable("interrupted");
    } finally {
      call.cancel(true);
    }
  }

  private JsonNode exchange(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    byte[] body;
    try (InputStream in = response.body()) {
      body = in.readNBytes(MAX_ANSWER_BYTES + 1);
    }
    if (body.length > MAX_ANSWER_BYTES) {
      throw ApproveException.refused("answer-invalid", "the service's answer is too long");
    }
    JsonNode answer;
    try {
      answer = JSON.readTree(body);
    } catch (JacksonException e) {
      answer = JSON.missingNode();
    }
    if (response.statusCode() == 200) {
      return answer;
    }
    throw refusal(response.statusCode(), answer);
  }

  private static ApproveException refusal(int status, JsonNode problem) {
    String code = problem.path("code").asString("");
    String detail = MintView.text(problem, "detail");
    if (status == 401) {
      return ApproveException.refused(
          "unauthenticated", "the access token is not valid, or no longer: get a new one");
    }
    if (code.matches("[a-z0-9-]{1,60}")) {
      return ApproveException.refused(code, detail);
    }
    return ApproveException.unavailable("the issuance service answered with status " + status);
  }

  @Override
  public void close() {
    calls.shutdownNow();
    http.shutdownNow();
  }
}
