package io.solidus.dev.acceptance;

import io.solidus.dev.testkit.RepositoryFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The wallet of {@code services/wallet/typescript} in a process of its own, which speaks with the
 * gateway by the generated client. Each call is a line of JSON on its standard input and each
 * answer one on its standard output, so no list of processes shows words or passphrase.
 */
final class SecondWallet implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Path AGENT =
      RepositoryFiles.root().resolve("services/wallet/clients/typescript/dist/test/agent.js");
  private static final Path LIBRARY = RepositoryFiles.root().resolve("prover-native");
  private static final Path MODULE = LIBRARY.resolve("target/targets/wasm/solidus.wasm");
  private static final long LIMIT_SECONDS = 240;

  private final Process process;
  private final Writer calls;
  private final BufferedReader answers;

  private SecondWallet(Process process) {
    this.process = process;
    this.calls = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Whether this machine has Node.js, and what {@code check typescript} builds. */
  static boolean isAvailable() throws InterruptedException {
    try {
      Process version =
          new ProcessBuilder("node", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return version.waitFor() == 0 && Files.exists(AGENT);
    } catch (IOException e) {
      return false;
    }
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
    Process process =
        new ProcessBuilder("node", AGENT.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    SecondWallet wallet = new SecondWallet(process);
    try {
      wallet.answered(start);
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
    return answered(Map.of("call", name));
  }

  /** The answer of a call with arguments, which are texts and maps of texts. */
  JsonNode call(String name, Map<String, ?> arguments) throws Exception {
    Map<String, Object> call = new HashMap<>(arguments);
    call.put("call", name);
    return answered(call);
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

  private JsonNode answered(Map<String, ?> call) throws Exception {
    calls.write(JSON.writeValueAsString(call) + "\n");
    calls.flush();
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(line));
    String text = line.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (text == null) {
      throw new IllegalStateException("the second implementation has ended");
    }
    JsonNode answer = JSON.readTree(text);
    if (!answer.has("ok")) {
      throw new IllegalStateException(
          "the second implementation answers "
              + answer.path("error")
              + ": "
              + answer.path("detail"));
    }
    return answer.path("ok");
  }

  private void read(CompletableFuture<String> line) {
    try {
      line.complete(answers.readLine());
    } catch (IOException e) {
      line.completeExceptionally(e);
    }
  }

  /** Its input ends, and so does the process. */
  @Override
  public void close() throws Exception {
    try {
      calls.close();
    } catch (IOException e) {
      // the process has ended already
    }
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
