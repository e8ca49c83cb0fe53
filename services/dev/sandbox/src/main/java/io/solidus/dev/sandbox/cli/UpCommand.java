package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.operators.Staff;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.services.Bootstrap;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.sandbox.webwallet.WebWallet;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the platform and runs until Ctrl-C. */
@Command(name = "up", description = "Starts the whole platform; Ctrl-C stops it, data is kept.")
public final class UpCommand implements Callable<Integer> {
  @Mixin private Location location = new Location();

  @Option(
      names = "--web-wallet",
      description = "the folder with the page of the web wallet; without it none is served")
  private @Nullable Path webWallet;

  @Option(
      names = "--private-queries",
      description =
          "the web wallet asks the authorities' replicas for its messages one by one, so that nobody learns which are its own; without it, it reads all messages, as in a small network, and has a payment at once")
  private boolean privateQueries;

  @Override
  public Integer call() throws Exception {
    SandboxOptions options = location.options();
    if (Sandbox.isRunning(options)) {
      System.err.println("solidus: the platform is already running with this data");
      return 75;
    }
    long start = System.nanoTime();
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitStop(stop, stopped)));
    try (Sandbox sandbox = Sandbox.start(options, line -> System.err.println("  " + line))) {
      Bootstrap.ensure(
          new Operators(options.ports(), sandbox.installation()), options.data().resolve("lists"));
      try (AutoCloseable page = serveWebWallet(options, sandbox.installation())) {
        print(System.out, options, sandbox.installation(), (System.nanoTime() - start) / 1e9);
        stop.await();
        System.err.println("stopping ...");
      }
    } finally {
      stopped.countDown();
    }
    return 0;
  }

  /** The page is served where it was built; load tests have no prover for it. */
  private AutoCloseable serveWebWallet(SandboxOptions options, Installation installation)
      throws IOException {
    if (webWallet == null || options.loadTest()) {
      return () -> {};
    }
    return WebWallet.start(options, installation, webWallet, privateQueries);
  }

  /** Runs on Ctrl-C: lets the main thread close everything before the JVM ends. */
  private static void awaitStop(CountDownLatch stop, CountDownLatch stopped) {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(
      PrintStream out, SandboxOptions options, Installation installation, double seconds)
      throws IOException {
    Ports ports = options.ports();
    out.printf(
        """

        The platform is up after %.1f s: %d authorities with %d shards each.

          console            %s
          web wallet         %s
          wallets' API       http://127.0.0.1:%d/swagger-ui.html
          registration       http://127.0.0.1:%d/swagger-ui.html
          sanctions, policy  http://127.0.0.1:%d/swagger-ui.html
          issuance           http://127.0.0.1:%d/swagger-ui.html
          OpenID provider    %s
          logs               %s

        The people of the centre and of its banks, default and second, log in at the console with the password %s:
        %s

        ./solidus token --sub NAME --role ROLE [--bank BANK] gives a token for the admin APIs; ./solidus demo runs the story; Ctrl-C stops.
        """,
        seconds,
        options.authorities(),
        options.shards(),
        Staff.consoleUrl(ports),
        webWallet == null ? "not built" : ServiceProperties.url(ports.webWallet()),
        ports.gateway(),
        ports.registrationAdmin(),
        ports.sanctionsAdmin(),
        ports.issuanceAdmin(),
        installation.tokens().issuer(),
        options.data().resolve("logs"),
        installation.password(),
        Staff.roles().entrySet().stream()
            .map(person ->
                "  %-18s %-10s %s"
                    .formatted(
                        person.getKey(),
                        Staff.bank(person.getKey()).orElse("centre"),
                        String.join(", ", person.getValue())))
            .collect(Collectors.joining("\n")));
    out.flush();
  }
}
