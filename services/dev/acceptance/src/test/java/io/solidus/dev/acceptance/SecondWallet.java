package io.solidus.dev.acceptance;

import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The wallet of {@code services/wallet/typescript} in a process of its own, which speaks with the
 * gateway by the generated client.
 */
final class SecondWallet implements AutoCloseable {
  private static final Path AGENT =
      RepositoryFiles.root().resolve("services/wallet/clients/typescript/dist/test/agent.js");
  private static final Path LIBRARY = RepositoryFiles.root().resolve("prover-native");
  private static final Path MODULE = LIBRARY.resolve("target/targets/wasm/solidus.wasm");

  private final JsonProcess process;

  private SecondWallet(JsonProcess process) {
    this.process = process;
  }

  /** Whether this machine has Node.js, and what {@code check typescript} builds. */
  static boolean isAvailable() throws InterruptedException {
    return JsonProcess.isAvailable() && Files.exists(AGENT);
  }

  /** Whether {@code ./solidus targets wasm} has built the native library for WebAssembly. */
  static boolean hasLibrary() {
    return Files.exists(MODULE);
  }

  /**
   * Opens a wallet.
   *
   * @param start as agent.ts takes it; with {@code words} or {@code create} the file is new
   */
  static SecondWallet open(Map<String, String> start) throws Exception {
    SecondWallet wallet = new SecondWallet(new JsonProcess("the second implementation", AGENT));
    try {
      wallet.process.answered(start);
      return wallet;
    } catch (Exception e) {
      wallet.close();
      throw e;
    }
  }

  /** With that library in place of the prover. */
  static Map<String, String> withOwnProofs(Map<String, String> start) {
    Map<String, String> more = new HashMap<>(start);
    more.put("module", MODULE.toString());
    more.put("script", LIBRARY.resolve("cabi/wasm/solidus.mjs").toString());
    return more;
  }

  /** The answer of a call without arguments. */
  JsonNode call(String name) throws Exception {
    return process.answered(Map.of("call", name));
  }

  /** The answer of a call with arguments, which are texts and maps of texts. */
  JsonNode call(String name, Map<String, ?> arguments) throws Exception {
    Map<String, Object> call = new HashMap<>(arguments);
    call.put("call", name);
    return process.answered(call);
  }

  /** The code with which a call without arguments is refused. */
  String refused(String name) throws Exception {
    return process.refused(Map.of("call", name));
  }

  String refusedPayment(String to, long amountMinor) throws Exception {
    return process.refused(
        Map.of("call", "pay", "to", to, "amount", Long.toString(amountMinor), "text", ""));
  }

  /** Makes a payment that does not leave the process, and gives its request. */
  TransferRequest heldPayment(String to, long amountMinor) throws Exception {
    call("hold");
    String code = refusedPayment(to, amountMinor);
    if (!code.equals("transfer-in-flight")) {
      throw new IllegalStateException("the payment is refused with " + code);
    }
    String request = call("release").path("request").asString();
    return WireJson.read(request, TransferRequestJson.class).toDomain();
  }

  JsonNode pay(String to, long amountMinor, String text) throws Exception {
    return call("pay", Map.of("to", to, "amount", Long.toString(amountMinor), "text", text));
  }

  /** Held and unclaimed, in minor units. */
  long total() throws Exception {
    JsonNode balance = call("balance");
    return Long.parseLong(balance.path("held").asString())
        + Long.parseLong(balance.path("unclaimed").asString());
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
