package io.solidus.wallet.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.solidus.protocol.Digest32;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers with certificates that the device trusts, and of which the network named one's key. */
@Tag("process")
class PinnedTrustTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir private static Path folder;
  private static KeyStore networks;
  private static KeyStore others;
  private static KeyStore trusted;
  private HttpsServer server;

  @BeforeAll
  static void makeCertificates() throws Exception {
    networks = made("network");
    others = made("other");
    trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("network", networks.getCertificate("key"));
    trusted.setCertificateEntry("other", others.getCertificate("key"));
  }

  private static KeyStore made(String name) throws Exception {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  @BeforeEach
  void bind() throws IOException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aServerWithTheNetworksKeyIsAsked() throws Exception {
    start(networks);
    assertThat(ask(Set.of(key(networks))).getText("/")).isEqualTo("hello");
    assertThat(ask(Set.of(key(networks), key(others))).getText("/")).isEqualTo("hello");
  }

  /** The device trusts it, as it trusts whoever has a certificate of any of its authorities. */
  @Test
  void aServerWithAnotherKeyIsNot() throws Exception {
    start(others);
    assertUnreachable(ask(Set.of(key(networks))));
  }

  @Test
  void thePinnedCertificateBesideAnotherOneIsNotEnough() throws Exception {
    KeyStore both = KeyStore.getInstance("JKS");
    both.load(null, null);
    both.setKeyEntry(
        "key",
        others.getKey("key", PASSWORD),
        PASSWORD,
        new Certificate[] {others.getCertificate("key"), networks.getCertificate("key")});
    start(both);
    assertUnreachable(ask(Set.of(key(networks))));
  }

  @Test
  void aPinnedKeyDoesNotReplaceTheDevicesTrust() throws Exception {
    start(networks);
    HttpClient http = Connections.client(TIMEOUT, Set.of(key(networks)), null);
    assertUnreachable(new RestClient(http, address(), "the service", TIMEOUT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://gateway.example",
        "http://10.0.0.1",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com:8080",
        "ftp://localhost",
        "http:localhost",
        "gateway.example",
      })
  void plainHttpLeavesThisMachineNever(String address) throws Exception {
    start(networks);
    WalletException refused =
        catchThrowableOfType(
            WalletException.class,
            () ->
                new RestClient(
                    HttpClient.newHttpClient(), URI.create(address), "the service", TIMEOUT));
    assertThat(refused.error()).isEqualTo(WalletError.INSECURE_ADDRESS);
  }

  private void start(KeyStore keys) throws Exception {
    KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
    factory.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write(new byte[] {'h', 'e', 'l', 'l', 'o'});
          }
        });
    server.start();
  }

  private URI address() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  private RestClient ask(Set<Digest32> keys) {
    return new RestClient(
        Connections.client(TIMEOUT, keys, null, trusted), address(), "the service", TIMEOUT);
  }

  private static void assertUnreachable(RestClient client) {
    WalletException refused =
        catchThrowableOfType(WalletException.class, () -> client.getText("/"));
    assertThat(refused.error()).isEqualTo(WalletError.GATEWAY_UNREACHABLE);
  }

  private static Digest32 key(KeyStore store) throws Exception {
    return Digest32.sha256(store.getCertificate("key").getPublicKey().getEncoded());
  }
}
