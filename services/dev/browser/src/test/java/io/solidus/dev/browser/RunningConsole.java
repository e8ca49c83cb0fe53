package io.solidus.dev.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.services.Bootstrap;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.sandbox.webwallet.WebWallet;
import io.solidus.dev.testkit.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The whole platform with its console, and Chromium, started once for all test classes of a run.
 * Without Chromium the classes are skipped.
 */
final class RunningConsole implements BeforeAllCallback, ParameterResolver {
  private static final ExtensionContext.Namespace PLACE =
      ExtensionContext.Namespace.create(RunningConsole.class);
  private static final int PORT_SHIFT = 9_000;

  @Override
  public void beforeAll(ExtensionContext context) {
    assumeTrue(Chromium.program().isPresent(), "no Chromium: the console is tested in it");
    bank(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Bank.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return bank(context);
  }

  private static Bank bank(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(PLACE)
        .computeIfAbsent(Bank.class, key -> Bank.open(), Bank.class);
  }

  /** The bank: platform, console, and a browser for each of its people. */
  static final class Bank implements AutoCloseable {
    private final Path data;
    private final Sandbox sandbox;
    private final Chromium chromium;
    private final Operators operators;
    private @Nullable WebWallet page;

    private Bank(Path data, Sandbox sandbox, Chromium chromium, Operators operators) {
      this.data = data;
      this.sandbox = sandbox;
      this.chromium = chromium;
      this.operators = operators;
    }

    private static Bank open() {
      try {
        Path data = Files.createTempDirectory("solidus-browser");
        SandboxOptions options =
            SandboxOptions.development(data, RepositoryFiles.kafkaLibrary(), PORT_SHIFT, 1);
        System.setProperty("solidus.sandbox.logs", data.resolve("logs").toString());
        Sandbox sandbox = Sandbox.start(options, line -> {});
        try {
          Operators operators = new Operators(options.ports(), sandbox.installation());
          Bootstrap.ensure(operators, data.resolve("lists"));
          Chromium chromium = Chromium.start(Chromium.program().orElseThrow());
          Bank bank = new Bank(data, sandbox, chromium, operators);
          bank.serveWebWallet(false);
          return bank;
        } catch (Exception e) {
          sandbox.close();
          throw e;
        }
      } catch (Exception e) {
        throw new IllegalStateException("the platform does not start", e);
      }
    }

    String console() {
      return "http://127.0.0.1:" + sandbox.options().ports().console();
    }

    Sandbox sandbox() {
      return sandbox;
    }

    /** The admin APIs, for what happens outside the console. */
    Operators operators() {
      return operators;
    }

    /** A person in front of a new browser, who has not logged in. */
    Officer officer(String name) throws IOException {
      return new Officer(chromium, console(), name, sandbox.installation().password());
    }

    /** The address of the web wallet's page. A machine without Node.js has none. */
    Optional<String> webWallet() {
      return Optional.ofNullable(page)
          .map(there -> "http://127.0.0.1:" + sandbox.options().ports().webWallet() + "/");
    }

    /**
     * Serves the web wallet's page at its address, in the place of the one before.
     *
     * @param privateQueries whether new wallets read their mail with private queries
     */
    void serveWebWallet(boolean privateQueries) throws IOException {
      Path built = RepositoryFiles.root().resolve("services/wallet/web/dist/page");
      if (page != null) {
        page.close();
        page = null;
      }
      if (Files.exists(built)) {
        page = WebWallet.start(sandbox.options(), sandbox.installation(), built, privateQueries);
      }
    }

    Chromium chromium() {
      return chromium;
    }

    @Override
    public void close() throws Exception {
      chromium.close();
      if (page != null) {
        page.close();
      }
      sandbox.close();
      try (Stream<Path> left = Files.walk(data)) {
        for (Path file : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
