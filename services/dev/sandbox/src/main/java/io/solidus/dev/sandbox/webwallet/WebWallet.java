package io.solidus.dev.sandbox.webwallet;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandlers;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page of the web wallet on the loopback interface, with {@code network.json} beside it, which
 * says what the page trusts. It answers from files alone; the wallet itself is in the browser.
 */
public final class WebWallet implements AutoCloseable {
  private static final String NETWORK = "/network.json";
  private static final String PROVER = "/prover.js";
  private static final String CURRENCY = "EUR";

  /** Of the worker with the prover: it alone runs WebAssembly, and it calls nobody. */
  private static final String POLICY_OF_PROVER =
      "default-src 'none'; script-src 'wasm-unsafe-eval'";

  private final HttpServer server;
  private final ExecutorService threads;

  private WebWallet(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Serves the page of a running sandbox.
   *
   * @param page the folder that the build of services/wallet/web writes
   * @param privateQueries whether wallets are told the replicas of the mailbox, and so read it with
   *     private queries; otherwise they read it whole
   */
  public static WebWallet start(
      SandboxOptions options, Installation installation, Path page, boolean privateQueries)
      throws IOException {
    Ports ports = options.ports();
    List<String> services =
        List.of(
            ServiceProperties.url(ports.gateway()),
            ServiceProperties.url(ports.registration()),
            ServiceProperties.url(ports.issuance()));
    Map<String, Object> network = new LinkedHashMap<>();
    network.put("networkId", options.network().value());
    network.put("currency", CURRENCY);
    network.put("manifestKey", hex(Base64.getDecoder().decode(installation.manifestKey())));
    network.put("keyClasses", List.of(ServiceProperties.keyClasses(options)));
    network.put("gateway", services.get(0));
    network.put("registration", services.get(1));
    network.put("issuance", services.get(2));
    network.put("prover", hex(publicKey(installation, "prover-hpke")));
    network.put("redemption", hex(publicKey(installation, "redemption-hpke")));
    if (privateQueries) {
      network.put(
          "replicas",
          installation.replicas(options.authorities()).stream()
              .map(replica -> hex(replica.bytes()))
              .toList());
    }
    return start(ports.webWallet(), page, network, services);
  }

  /**
   * Serves a page.
   *
   * @param port 0 takes a free one
   * @param network what {@code network.json} says
   * @param services the only origins beside its own that the page may call
   */
  static WebWallet start(int port, Path page, Map<String, Object> network, List<String> services)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(threads);
    String json = JsonMapper.builder().build().writeValueAsString(network);
    Filter headers =
        Filter.beforeHandler(
            "headers",
            each -> guard(each.getResponseHeaders(), each.getRequestURI().getPath(), services));
    HttpContext files =
        server.createContext("/", SimpleFileServer.createFileHandler(page.toAbsolutePath()));
    HttpContext trust =
        server.createContext(
            NETWORK, HttpHandlers.of(200, Headers.of("Content-Type", "application/json"), json));
    files.getFilters().add(headers);
    trust.getFilters().add(headers);
    server.start();
    return new WebWallet(server, threads);
  }

  /** Headers that every server of the page has to send. */
  private static void guard(Headers headers, String path, List<String> services) {
    headers.set(
        "Content-Security-Policy", path.equals(PROVER) ? POLICY_OF_PROVER : policyOfPage(services));
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Permissions-Policy", "camera=(self), microphone=(), geolocation=()");
    headers.set("Cache-Control", "no-cache");
  }

  /**
   * Scripts and styles of the page's own files alone, no calls to anybody but the services, no
   * frame around the page.
   */
  private static String policyOfPage(List<String> services) {
    return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src"
        + " 'self'; manifest-src 'self'; connect-src 'self' "
        + String.join(" ", services)
        + "; form-action 'none'; base-uri 'none'; frame-ancestors 'none';"
        + " require-trusted-types-for 'script'; trusted-types solidus";
  }

  private static byte[] publicKey(Installation installation, String name) throws IOException {
    byte[] seed = Files.readAllBytes(installation.seed(name));
    try (HpkePrivateKey key = HpkePrivateKey.of(seed)) {
      return key.publicKey().bytes();
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
