package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.services.Bootstrap;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.HappyPaths;
import io.solidus.dev.testkit.RepositoryFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends hostile requests to every route in the OpenAPI documents of the running platform. The
 * requests follow from a seed ({@code -Dsolidus.fuzz.seed}) and from the platform's answers. {@code
 * -Dsolidus.fuzz.per-route} sets the number of requests per route.
 */
@Tag("process")
class ApiFuzzTest {
  /** The gRPC ports of 3,000 are those of taps of the acceptance tests. */
  private static final int PORT_SHIFT = 6_000;

  private static final long SEED = Long.getLong("solidus.fuzz.seed", 1);
  private static final int PER_ROUTE = Integer.getInteger("solidus.fuzz.per-route", 30);
  private static final long HEAP_GROWTH = 96L << 20;
  private static final int SHOWN = 25;
  private static final int TRIES = 40;

  /** Their bodies have signatures, proofs or what is sealed to a key, which no example has. */
  private static final Set<String> PROVED =
      Set.of(
          "gateway POST /v1/registrations/signatures",
          "gateway POST /v1/mailbox/queries",
          "gateway POST /v1/mints",
          "gateway POST /v1/proofs",
          "gateway POST /v1/transfers",
          "gateway POST /v1/recovers",
          "registration POST /v1/registrations",
          "registration POST /v1/registrations/{caseId}/tokens",
          "issuance POST /v1/mints",
          "issuance POST /v1/redemptions");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private static Path folder;
  private static Sandbox sandbox;
  private static Tokens tokens;
  private static final List<Route> ROUTES = new ArrayList<>();
  private static HappyPaths paths;
  private static List<String> preluded;
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  @BeforeAll
  static void start() throws Exception {
    System.out.println("api-fuzz seed " + SEED + ", " + PER_ROUTE + " requests a route");
    SandboxOptions options =
        SandboxOptions.development(
                folder.resolve("data"), RepositoryFiles.kafkaLibrary(), PORT_SHIFT, 1)
            .withShapes();
    System.setProperty("solidus.sandbox.logs", logs().toString());
    sandbox = Sandbox.start(options, line -> {});
    Bootstrap.ensure(
        new Operators(options.ports(), sandbox.installation()), folder.resolve("lists"));
    paths = new HappyPaths();
    tokens = new Tokens(sandbox.installation().tokens());
    Path ofac = folder.resolve("lists").resolve("ofac-sdn-sample.csv");
    try (Preludes preludes = new Preludes(sandbox, paths, tokens, ofac)) {
      preluded = preludes.play();
    }
    Ports ports = options.ports();
    describe("gateway", ports.gateway(), ports.gateway());
    describe("registration", ports.registration(), ports.registrationAdmin());
    describe("sanctions", ports.sanctions(), ports.sanctionsAdmin());
    describe("issuance", ports.issuance(), ports.issuanceAdmin());
    assertThat(ROUTES).hasSizeGreaterThan(30);
    assertThat(ROUTES.stream().map(Route::service).distinct()).hasSize(4);
  }

  /** Adds the routes of a service, whose description is where its admin API is. */
  private static void describe(String service, int port, int adminPort)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/v3/api-docs"))
            .build();
    JsonNode document = JSON.readTree(send(request).body());
    ROUTES.addAll(Route.of(service, port, adminPort, document));
  }

  /** What the service's document does not say of an answer. */
  private static Optional<String> undocumented(Route route, HttpResponse<byte[]> answer) {
    return paths
        .of(route.service())
        .undocumented(
            answer.request().method(),
            answer.request().uri().getRawPath(),
            answer.request().bodyPublisher().filter(body -> body.contentLength() != 0).isPresent(),
            answer.statusCode(),
            answer.headers(),
            answer.body());
  }

  private static Path logs() {
    return folder.resolve("data").resolve("logs");
  }

  @AfterAll
  static void stop() throws Exception {
    if (sandbox != null) {
      sandbox.close();
    }
  }

  private static HttpResponse<byte[]> send(HttpRequest request)
      throws IOException, InterruptedException {
    return HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Collects findings in a short form. */
  private static final class Findings {
    private final List<String> all = new ArrayList<>();
    private int more;

    void add(String route, HttpRequest request, String what) {
      if (all.size() >= SHOWN) {
        more++;
        return;
      }
      String told = what.length() > 300 ? what.substring(0, 300) + "..." : what;
      Map<String, List<String>> headers = new TreeMap<>(request.headers().map());
      headers.computeIfPresent("Authorization", (name, token) -> List.of("..."));
      all.add(
          route + " <- " + request.method() + " " + request.uri() + " " + headers + ": " + told);
    }

    void none() {
      assertThat(all).as("findings with seed %d, and %d more", SEED, more).isEmpty();
    }
  }

  @Test
  void preludesAreAnsweredAsDescribed() {
    assertThat(preluded).as("what failed, and what docs/reference/api does not say").isEmpty();
  }

  @Test
  void noRouteFailsOnAnyRequest() throws Exception {
    Random random = new Random(SEED);
    Values values = new Values(random);
    Requests requests = new Requests(random, values);
    String everyRole = "Bearer " + tokens.of("operator-fuzz", Tokens.TOGETHER);
    Findings findings = new Findings();
    Map<String, Integer> counts = new TreeMap<>();
    long before = 0;
    // round by round over all routes, so that later requests use ids from earlier answers
    for (int round = 0; round < PER_ROUTE; round++) {
      for (Route route : ROUTES) {
        HttpRequest request =
            round % 4 == 0
                ? requests.shaped(route, route.isAdmin() ? everyRole : null)
                : requests.hostile(
                    route, route.isAdmin() || random.nextInt(10) == 0 ? everyRole : null);
        HttpResponse<byte[]> answer = send(request);
        counts.merge(route.name(), 1, Integer::sum);
        AnswerRules.broken(answer).ifPresent(what -> findings.add(route.name(), request, what));
        undocumented(route, answer).ifPresent(what -> findings.add(route.name(), request, what));
        AnswerRules.json(answer).ifPresent(values::learn);
      }
      if (round == PER_ROUTE / 5) {
        before = liveHeap();
      }
    }
    long after = liveHeap();
    reachHappyPaths(requests, values, findings);
    counts.forEach((route, count) -> System.out.println("api-fuzz: " + route + "|" + count));
    System.out.println("api-fuzz heap " + (before >> 20) + " -> " + (after >> 20) + " MiB");
    List<String> errors = errorsInLogs();
    errors.forEach(line -> System.out.println("api-fuzz log " + line));
    paths.succeeded().forEach(route -> System.out.println("api-fuzz succeeded: " + route));
    findings.none();
    assertThat(after).as("live heap after %d MiB", before >> 20).isLessThan(before + HEAP_GROWTH);
    assertThat(errors).isEmpty();
    paths.requireSucceeded("fuzz");
  }

  /** Asks again where nothing succeeded yet, by persons who may, and with ids from answers. */
  private static void reachHappyPaths(Requests requests, Values values, Findings findings)
      throws Exception {
    List<String> callers =
        List.of(
            "Bearer " + tokens.of("operator-fuzz", Tokens.TOGETHER),
            "Bearer " + tokens.of("operator-second", Tokens.TOGETHER),
            "Bearer " + tokens.of("auditor-fuzz", List.of("auditor")),
            "Bearer " + tokens.of("service-fuzz", List.of("service")));
    for (int round = 0; round < 2; round++) {
      for (Route route : ROUTES) {
        for (int at = 0; at < TRIES && !paths.hasSucceeded(route.name()); at++) {
          String caller = route.isAdmin() ? callers.get(at % callers.size()) : null;
          HttpRequest request =
              at / callers.size() % 2 == 0
                  ? requests.bare(route, caller)
                  : requests.shaped(route, caller);
          HttpResponse<byte[]> answer = send(request);
          AnswerRules.broken(answer).ifPresent(what -> findings.add(route.name(), request, what));
          undocumented(route, answer).ifPresent(what -> findings.add(route.name(), request, what));
          AnswerRules.json(answer).ifPresent(values::learn);
          if (answer.statusCode() / 100 == 2) {
            System.out.println("api-fuzz reached " + route.name() + " at try " + (at + 1));
          }
        }
      }
    }
  }

  /** What a service refuses of the examples of its document is not their form. */
  @Test
  void examplesAreUnderstood() throws Exception {
    Requests requests = new Requests(new Random(SEED), new Values(new Random(SEED)));
    String everyRole = "Bearer " + tokens.of("operator-fuzz", Tokens.TOGETHER);
    Findings findings = new Findings();
    int asked = 0;
    for (Route route : ROUTES.stream().filter(route -> !route.example().isMissingNode()).toList()) {
      HttpRequest request = requests.example(route, route.isAdmin() ? everyRole : null);
      HttpResponse<byte[]> answer = send(request);
      asked++;
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      boolean malformed = text.contains("\"malformed-request\"") && !PROVED.contains(route.name());
      if (answer.statusCode() == 415 || malformed) {
        findings.add(route.name(), request, text);
      }
      undocumented(route, answer).ifPresent(what -> findings.add(route.name(), request, what));
    }
    System.out.println("api-fuzz: examples|" + asked);
    assertThat(asked).isGreaterThan(30);
    findings.none();
  }

  private static long liveHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static List<String> errorsInLogs() throws IOException {
    try (Stream<Path> files = Files.walk(logs())) {
      List<String> errors = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
          lines
              .filter(line -> line.contains(" ERROR ") || line.contains("unforeseen failure"))
              .limit(SHOWN)
              .forEach(errors::add);
        }
      }
      return errors;
    }
  }

  /** Every admin route answers every invalid token with 401, whatever else the request contains. */
  @Test
  void adminRoutesRefuseUnauthenticatedCallers() throws Exception {
    Requests requests = new Requests(new Random(SEED), new Values(new Random(SEED)));
    Map<String, String> invalid = tokens.invalid();
    Findings findings = new Findings();
    int asked = 0;
    for (Route route : ROUTES.stream().filter(Route::isAdmin).toList()) {
      List<HttpRequest> all =
          new ArrayList<>(List.of(requests.shaped(route, null), requests.hostile(route, null)));
      invalid.values().forEach(token -> all.add(requests.shaped(route, token)));
      for (HttpRequest request : all) {
        HttpResponse<byte[]> answer = send(request);
        asked++;
        boolean refused =
            answer.statusCode() == 401
                || answer.statusCode() == 413
                || isTooOddForAnything(request, answer.statusCode());
        if (!refused) {
          findings.add(route.name(), request, "status " + answer.statusCode() + " instead of 401");
        }
        AnswerRules.broken(answer).ifPresent(what -> findings.add(route.name(), request, what));
      }
    }
    System.out.println("api-fuzz: authentication, every admin route|" + asked);
    findings.none();
  }

  /** Whether the path or method is refused before authentication. */
  private static boolean isTooOddForAnything(HttpRequest request, int status) {
    return (status == 400 && request.uri().getRawPath().contains("%"))
        || (status == 400 && request.method().equals("PROPFIND"))
        || (status == 405 && request.method().equals("TRACE"));
  }

  /**
   * Calls every admin route with every role: an unknown role opens no route, and no route is open
   * to all roles. Prints the matrix.
   */
  @Test
  void adminRoutesRefuseOtherRoles() throws Exception {
    Requests requests = new Requests(new Random(SEED), new Values(new Random(SEED)));
    Findings findings = new Findings();
    Map<String, TreeSet<String>> open = new TreeMap<>();
    int asked = 0;
    for (Route route : ROUTES.stream().filter(Route::isAdmin).toList()) {
      open.put(route.name(), new TreeSet<>());
      for (String role :
          Stream.concat(Tokens.ROLES.stream(), Stream.of("nobody", "ROLE_approver", "APPROVER", ""))
              .toList()) {
        HttpRequest request =
            requests.shaped(route, "Bearer " + tokens.of("operator-" + role, List.of(role)));
        HttpResponse<byte[]> answer = send(request);
        asked++;
        AnswerRules.broken(answer).ifPresent(what -> findings.add(route.name(), request, what));
        if (answer.statusCode() != 403) {
          open.get(route.name())
              .add(role + (answer.statusCode() / 100 == 2 ? "" : "(" + answer.statusCode() + ")"));
          if (!Tokens.ROLES.contains(role)) {
            findings.add(
                route.name(),
                request,
                "status " + answer.statusCode() + " for the role '" + role + "'");
          }
        }
      }
      if (open.get(route.name()).size() >= Tokens.ROLES.size()) {
        findings.add(
            route.name(),
            requests.shaped(route, null),
            "every role is let in: " + open.get(route.name()));
      }
    }
    open.forEach((route, roles) -> System.out.println("api-fuzz roles " + route + " " + roles));
    System.out.println("api-fuzz: roles, every admin route|" + asked);
    findings.none();
  }

  /** Other spellings of an admin route's path, sent unchanged and without a token. */
  @Test
  void otherSpellingsOfPathsDoNotReachAdminRoutes() throws Exception {
    List<String> findings = new ArrayList<>();
    int asked = 0;
    for (Route route :
        ROUTES.stream()
            .filter(r -> r.isAdmin() && r.method().equals("GET") && !r.path().contains("{"))
            .toList()) {
      String rest = route.path().substring("/admin".length());
      for (String path :
          List.of(
              "//admin" + rest,
              "/./admin" + rest,
              "/v1/../admin" + rest,
              "/v1/..;/admin" + rest,
              "/admin;x=1" + rest,
              "/%61dmin" + rest,
              "/ADMIN" + rest,
              "/admin%2f" + rest.substring(1),
              "/v1/%2e%2e/admin" + rest,
              "/admin" + rest + "/",
              "/admin" + rest + ".json",
              "/v1\\..\\admin" + rest,
              "/actuator/health/../../admin" + rest,
              "/swagger-ui/..%2f..%2fadmin" + rest,
              "/v3/api-docs/%252e%252e/admin" + rest)) {
        String answer =
            raw(route.port(), "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        asked++;
        if (!answer.matches("(?s)HTTP/1\\.1 (400|401|403|404) .*")
            || answer.contains("Apache Tomcat")
            || answer.contains("Exception")) {
          findings.add(path + " -> " + answer.substring(0, Math.min(300, answer.length())));
        }
      }
    }
    System.out.println("api-fuzz: detours, on the wire|" + asked);
    assertThat(findings).isEmpty();
  }

  /** Malformed HTTP requests are refused or dropped, and the next request is served. */
  @Test
  void brokenRequestsAreRefusedOnTheWire() throws Exception {
    List<String> findings = new ArrayList<>();
    int asked = 0;
    for (int port : ROUTES.stream().map(Route::port).distinct().toList()) {
      for (String request :
          List.of(
              "GET / HTTP/9.9\r\n\r\n",
              "\u0000\u0001\u0002\r\n\r\n",
              "GET /v1/info HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
              "GET /v1/info HTTP/1.1\r\nHost: a\r\nX: "
                  + "a".repeat(20_000)
                  + "\r\nConnection: close\r\n\r\n",
              "GET /v1/" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
              "GET /v1/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
              "GET /v1/\u00e9 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
              "POST /v1/mailbox HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\nConnection: close\r\n\r\n",
              "POST /v1/mailbox HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
              "POST /v1/mailbox HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
              "POST /v1/mailbox HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nFFFFFFFFF\r\n")) {
        String answer = raw(port, request);
        asked++;
        boolean refused = answer.isEmpty() || answer.matches("(?s)HTTP/1\\.1 (4\\d\\d|505) .*");
        if (!refused || answer.contains("Apache Tomcat") || answer.contains("Exception")) {
          findings.add(
              port
                  + ": "
                  + request.lines().findFirst().orElse("")
                  + " -> "
                  + answer.substring(0, Math.min(300, answer.length())));
        }
      }
      HttpRequest next =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health"))
              .timeout(Duration.ofSeconds(30))
              .build();
      // the ports of the admin API have no health page
      assertThat(send(next).statusCode()).isIn(200, 404);
    }
    System.out.println("api-fuzz: broken requests, on the wire|" + asked);
    assertThat(findings).isEmpty();
  }

  private static String raw(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      try (InputStream in = socket.getInputStream()) {
        return new String(in.readNBytes(1 << 20), StandardCharsets.ISO_8859_1);
      }
    } catch (java.net.SocketException e) {
      return "";
    }
  }
}
