package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The sandbox's folders and ports; the launcher sets these options. */
public final class Location {
  private static final int AUTHORITIES = 4;
  private static final int SHARDS = 2;

  @Option(names = "--data", required = true, description = "databases, broker, secrets, logs")
  private Path data = Path.of(".");

  @Option(
      names = "--keys",
      required = true,
      description = "the cached development keys, without the suffix that names their circuits")
  private Path keys = Path.of(".");

  @Option(names = "--kafka-lib", required = true, description = "the broker's jars")
  private Path kafkaLibrary = Path.of(".");

  @Option(
      names = "--port-shift",
      defaultValue = "0",
      description = "moves every port by this much, so that two sandboxes can run side by side")
  private int portShift;

  @Option(
      names = "--load-test",
      description =
          "--keys is a directory of load-test keys, and no other keys are opened: proofs are simulated, so nothing here has value")
  private boolean loadTest;

  @Option(
      names = "--shapes",
      description =
          "the network has claims of 16 coins and payments to eight as well; their development keys are made once, in some two minutes")
  private boolean shapes;

  public SandboxOptions options() {
    return shapes ? plain().withShapes() : plain();
  }

  private SandboxOptions plain() {
    return new SandboxOptions(
        data.toAbsolutePath(),
        keys.toAbsolutePath(),
        kafkaLibrary.toAbsolutePath(),
        Ports.shifted(portShift),
        AUTHORITIES,
        SHARDS,
        loadTest ? KeyClass.LOAD_TEST : KeyClass.DEVELOPMENT,
        NetworkKind.REGULATED);
  }
}
