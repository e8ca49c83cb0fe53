package io.solidus.dev.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A script in Node.js that answers calls: each is a line of JSON on its standard input and each
 * answer one on its standard output, so no list of processes shows what a call says.
 */
final class JsonProcess implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long LIMIT_SECONDS = 240;

  private final String name;
  private final Process process;
  private final Writer calls;
  private final BufferedReader answers;

  JsonProcess(String name, Path script) throws IOException {
    this.name = name;
    this.process =
        new ProcessBuilder("node", script.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    this.calls = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Whether this machine has Node.js. */
  static boolean isAvailable() throws InterruptedException {
    try {
      Process version =
          new ProcessBuilder("node", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return version.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  JsonNode answered(Map<String, ?> call) throws Exception {
    JsonNode answer = answer(call);
    if (!answer.has("ok")) {
      throw new IllegalStateException(
          name + " answers " + answer.path("error") + ": " + answer.path("detail"));
    }
    return answer.path("ok");
  }

  /** The code of a call that is refused; fails when it is answered. */
  String refused(Map<String, ?> call) throws Exception {
    JsonNode answer = answer(call);
    if (answer.has("ok")) {
      throw new IllegalStateException(name + " answers " + answer);
    }
    return answer.path("error").asString();
  }

  private JsonNode answer(Map<String, ?> call) throws Exception {
    String text = line(call);
    if (text == null) {
      throw new IllegalStateException(name + " has ended");
    }
    return JSON.readTree(text);
  }

  /** What the process was killed with; fails when it answers instead. */
  int killedBy(Map<String, ?> call) throws Exception {
    String text = line(call);
    if (text != null) {
      throw new IllegalStateException(name + " lives on and answers " + text);
    }
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " lives on");
    }
    return process.exitValue() - 128;
  }

  private @Nullable String line(Map<String, ?> call) throws Exception {
    calls.write(JSON.writeValueAsString(call) + "\n");
    calls.flush();
    CompletableFuture<@Nullable String> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(line));
    return line.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private void read(CompletableFuture<@Nullable String> line) {
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
