package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RepositoryFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The wallet's core in a process of Node.js, by the host that the npm package has ({@code
 * wallet.mjs}), with a file and proofs of its own.
 */
final class NodeCore implements AutoCloseable {
  private static final Path LIBRARY = RepositoryFiles.root().resolve("prover-native");
  private static final Path MODULE = LIBRARY.resolve("target/targets/wasm/solidus.wasm");
  private static final int SIGKILL = 9;

  private final JsonProcess process;

  private NodeCore(JsonProcess process) {
    this.process = process;
  }

  /** Whether this machine has Node.js, and what {@code ./solidus targets wasm} builds. */
  static boolean isAvailable() throws InterruptedException {
    return JsonProcess.isAvailable() && Files.exists(MODULE);
  }

  /**
   * Opens a wallet, which then is to go on.
   *
   * @param start as agent.mjs takes it, without the module; with {@code words} the file is new
   */
  static NodeCore open(Map<String, String> start) throws Exception {
    NodeCore core =
        new NodeCore(
            new JsonProcess("the core in Node.js", LIBRARY.resolve("cabi/wasm/agent.mjs")));
    Map<String, String> more = new HashMap<>(start);
    more.put("module", MODULE.toString());
    try {
      core.process.answered(more);
      return core;
    } catch (Exception e) {
      core.close();
      throw e;
    }
  }

  JsonNode view() throws Exception {
    return process.answered(Map.of("call", "view"));
  }

  /** Carries a command out, which has to end well. */
  void ends(Map<String, ?> command) throws Exception {
    assertThat(process.answered(command).path("code").asString()).isEmpty();
  }

  /**
   * The process is killed in the command.
   *
   * @param effect {@code POST /v1/transfers}, without a query, or {@code proof}
   * @param moment {@code kept}, {@code performed} or {@code answered}
   */
  void isKilled(Map<String, ?> command, String effect, String moment) throws Exception {
    Map<String, Object> call = new HashMap<>(command);
    call.put("die", Map.of("effect", effect, "moment", moment));
    assertThat(process.killedBy(call)).as(effect + " " + moment).isEqualTo(SIGKILL);
  }

  /** Held and unclaimed, in minor units. */
  static long total(JsonNode view) {
    long total = Long.parseLong(view.path("held").asString());
    for (JsonNode coin : view.path("coins")) {
      total += Long.parseLong(coin.path("value").asString());
    }
    return total;
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
