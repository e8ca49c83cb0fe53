package io.solidus.dev.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.MintStatementJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's scripts for an approver's key, in Chromium and without a platform. */
class ApproverScriptTest {
  private static final String SCRIPTS = "/console/assets";
  private static final String MESSAGE =
      """
      async (statement) => {
        const script = await import('/mint-statement.js');
        return [...await script.mintMessage(statement)];
      }
      """;

  private static Chromium chromium;
  private static HttpServer files;
  private static Page page;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(Chromium.program().isPresent(), "no Chromium: the console is tested in it");
    files =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            0,
            "/",
            ApproverScriptTest::serve);
    files.start();
    chromium = Chromium.start(Chromium.program().orElseThrow());
    page = chromium.browser().newPage();
    page.navigate("http://127.0.0.1:" + files.getAddress().getPort() + "/");
  }

  /** From the class path, as the console serves them. */
  private static void serve(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream script =
            ApproverScriptTest.class.getResourceAsStream(
                SCRIPTS + exchange.getRequestURI().getPath())) {
      byte[] body = script == null ? new byte[0] : script.readAllBytes();
      exchange.getResponseHeaders().set("Content-Type", "text/javascript");
      exchange.sendResponseHeaders(script == null ? 404 : 200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @AfterAll
  static void stop() {
    if (chromium != null) {
      chromium.close();
      files.stop(0);
    }
  }

  @Test
  void bytesToSignAreThoseOfTheProtocol() {
    for (long minor : List.of(1L, 99L, 100L, 123_456L, 100_000_000L, 9_007_199_254_740_991L)) {
      NetworkId network = new NetworkId("solidus-test-" + minor);
      MintStatement statement = statement(minor);

      assertThat(message(shown(network, statement, amount(minor))))
          .as("of " + minor)
          .isEqualTo(MintApproval.message(network, statement));
    }
  }

  @Test
  void whatIsNotReadableIsNotSigned() {
    MintStatement statement = statement(100);
    Map<String, Object> good = shown(new NetworkId("solidus-test"), statement, "EUR 1.00");
    for (String amount : List.of("EUR 0.00", "EUR 1", "1.00", "EUR 1,00", "EUR -1.00", "")) {
      assertThat(refusal(with(good, "amount", amount))).as(amount).contains("the amount is");
    }
    assertThat(refusal(with(good, "mintId", "AAAA"))).contains("does not have 32 bytes");
    assertThat(refusal(with(good, "cm", "!"))).contains("not readable");
    assertThat(refusal(with(good, "k", Objects.requireNonNull(good.get("cm")))))
        .contains("does not have 96 bytes");
  }

  @Test
  void keyMadeInTheBrowserSignsAndCannotBeRead() {
    evaluate("key => key.make({subject: 'made', name: 'anna', network: 'test'})");
    Map<?, ?> signed = sign("made");

    assertThat(verified(signed)).isTrue();
    assertThat(evaluate("async key => (await key.load('made')).privateKey.extractable"))
        .isEqualTo(false);
    assertThat(
            evaluate(
                """
                async key => {
                  const {privateKey} = await key.load('made');
                  try { return await crypto.subtle.exportKey('pkcs8', privateKey); }
                  catch (e) { return e.name; }
                }
                """))
        .isEqualTo("InvalidAccessError");
    assertThat(evaluate("async key => await key.load('another person') === undefined"))
        .isEqualTo(true);
  }

  @Test
  void keyFileOfTheCommandLineIsReadInEachForm() throws IOException {
    byte[] seed = new byte[Ed25519PrivateKey.SEED_BYTES];
    new SecureRandom().nextBytes(seed);
    String expected;
    try (Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(seed)) {
      expected = key.publicKey().base64();
    }
    byte[] der = HexFormat.of().parseHex("302e020100300506032b657004220420" + hex(seed));
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getEncoder().encodeToString(der)
            + "\n-----END PRIVATE KEY-----\n";
    for (byte[] form : List.of(seed, der, pem.getBytes(StandardCharsets.UTF_8))) {
      String person = "file of " + form.length;
      choose(form);
      evaluate(
          "key => key.fromFile({subject: '"
              + person
              + "'}, document.querySelector('input').files[0])");

      assertThat(sign(person).get("publicKey")).isEqualTo(expected);
      assertThat(verified(sign(person))).isTrue();
    }
    choose("no key".getBytes(StandardCharsets.UTF_8));
    assertThat(
            evaluate(
                "key => key.fromFile({subject: 'other'}, document.querySelector('input').files[0]).catch(e => e.message)"))
        .isEqualTo("the file is no Ed25519 key");
  }

  private void choose(byte[] content) throws IOException {
    page.evaluate("() => { document.body.innerHTML = '<input type=file>'; }");
    Path file = Files.write(folder.resolve("key-" + content.length), content);
    page.setInputFiles("input", file);
  }

  private static Map<?, ?> sign(String person) {
    return (Map<?, ?>)
        evaluate(
            """
            async key => {
              const mine = await key.load('%s');
              const signature = await key.sign(mine, new Uint8Array([1, 2, 3]));
              return {publicKey: key.publicText(mine), signature: [...signature]};
            }
            """
                .formatted(person));
  }

  private static boolean verified(Map<?, ?> signed) {
    try {
      return Ed25519PublicKey.fromBase64(Objects.toString(signed.get("publicKey")))
          .verify(new byte[] {1, 2, 3}, bytes(Objects.requireNonNull(signed.get("signature"))));
    } catch (ProtocolException e) {
      return false;
    }
  }

  private static Object evaluate(String work) {
    return page.evaluate(
        "async () => { return (" + work + ")(await import('/approver-key.js')); }");
  }

  private static byte[] message(Map<String, Object> shown) {
    return bytes(page.evaluate(MESSAGE, shown));
  }

  private static String refusal(Map<String, Object> shown) {
    Object answer =
        page.evaluate(
            "async (s) => (" + MESSAGE + ")(s).then(() => 'none', e => e.message)", shown);
    return Objects.toString(answer);
  }

  private static byte[] bytes(Object numbers) {
    List<?> list = (List<?>) numbers;
    byte[] bytes = new byte[list.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = ((Number) list.get(i)).byteValue();
    }
    return bytes;
  }

  private static Map<String, Object> shown(
      NetworkId network, MintStatement statement, String amount) {
    MintStatementJson json = MintStatementJson.of(statement);
    var coin = Objects.requireNonNull(json.coin());
    return Map.of(
        "network", network.value(),
        "mintId", Objects.requireNonNull(json.mintId()),
        "amount", amount,
        "cm", Objects.requireNonNull(coin.cm()),
        "k", Objects.requireNonNull(coin.k()));
  }

  private static Map<String, Object> with(Map<String, Object> good, String name, Object value) {
    Map<String, Object> changed = new HashMap<>(good);
    changed.put(name, value);
    return changed;
  }

  private static MintStatement statement(long minor) {
    return new MintStatement(
        MintId.of(TestRandom.bytes(32)), Amount.of(minor), TestRandom.blindedCoin());
  }

  private static String amount(long minor) {
    return String.format(Locale.ROOT, "EUR %,d.%02d", minor / 100, minor % 100);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
