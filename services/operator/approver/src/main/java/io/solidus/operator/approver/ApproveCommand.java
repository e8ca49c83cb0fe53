package io.solidus.operator.approver;

import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code solidus approve}: approves and refuses mints with the approver's own key. */
@Command(
    name = "solidus approve",
    description = "Approves mints with a key of your own.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "10:refused (the code says by which rule)",
      "64:wrong usage",
      "65:a file is missing, open to others or not what it should be",
      "69:the issuance service or the token does not answer",
      "70:internal failure"
    })
final class ApproveCommand implements Runnable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PrintWriter out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--help",
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "this text")
  boolean help;

  private ApproveCommand(PrintWriter out) {
    this.out = out;
  }

  /** Runs a command and returns the exit status. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine line = new CommandLine(new ApproveCommand(out));
    line.setOut(out);
    line.setErr(err);
    // one id of a mint in 64 begins with a hyphen
    line.setUnmatchedOptionsArePositionalParams(true);
    line.setExecutionExceptionHandler((e, failed, result) -> report(err, e));
    line.setParameterExceptionHandler((e, ignored) -> {
      err.println("solidus approve: " + e.getMessage());
      return ApproveException.Exit.USAGE;
    });
    return line.execute(args);
  }

  private static int report(PrintWriter err, Exception cause) {
    if (cause instanceof ApproveException e) {
      err.println("solidus approve: " + e.getMessage() + " (" + e.code() + ")");
      return e.exitStatus();
    }
    err.println("solidus approve: unexpected failure: " + cause.getClass().getSimpleName());
    return ApproveException.Exit.SOFTWARE;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Where the issuance service is, and who calls it. */
  static final class DeskOptions {
    @Option(
        names = "--issuance",
        paramLabel = "URL",
        required = true,
        description = "the admin address of the issuance service")
    private URI issuance = URI.create("");

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        required = true,
        description = "your access token, mode 0600")
    private Path tokenFile = Path.of("");

    IssuanceDesk open() {
      return new IssuanceDesk(issuance, tokenFile);
    }
  }

  /** The key that signs. */
  static final class KeyOptions {
    @Option(
        names = "--key",
        paramLabel = "FILE",
        required = true,
        description = "your key's file, made by 'solidus approve new-key'")
    private @Nullable Path file;

    @ArgGroup(exclusive = false)
    private @Nullable TokenOptions token;

    ApproverKey key() {
      if (token != null) {
        return new TokenKey(token.library, token.label, token.keyId, token.pinFile);
      }
      return new ApproverKey.InFile(Objects.requireNonNull(file));
    }
  }

  /** A key in a token. */
  static final class TokenOptions {
    @Option(
        names = "--pkcs11",
        paramLabel = "LIBRARY",
        required = true,
        description = "the PKCS#11 library of the token that has your key (needs OpenSC)")
    private Path library = Path.of("");

    @Option(names = "--token", paramLabel = "LABEL", required = true, description = "its label")
    private String label = "";

    @Option(
        names = "--key-id",
        paramLabel = "HEX",
        required = true,
        description = "the key's id in it")
    private String keyId = "";

    @Option(
        names = "--pin-file",
        paramLabel = "FILE",
        required = true,
        description = "its PIN, mode 0600")
    private Path pinFile = Path.of("");
  }

  /** The mint and what the approver expects of it. */
  static final class MintOptions {
    @Parameters(paramLabel = "MINT", description = "the mint's id, as 'waiting' shows it")
    private String mint = "";

    @Option(
        names = "--network",
        paramLabel = "ID",
        required = true,
        description = "your network; the signature holds on no other")
    private String network = "";

    @Option(
        names = "--value",
        paramLabel = "MINOR",
        required = true,
        description =
            "the value in minor units that you expect, from the money that arrived: a mint of"
                + " another value is not signed")
    private long value;

    @Option(
        names = "--funding",
        paramLabel = "ID",
        required = true,
        description =
            "the funding whose money you found in the bank's statement: a mint of another funding is"
                + " not signed")
    private String funding = "";

    NetworkId network() {
      try {
        return new NetworkId(network);
      } catch (ProtocolException e) {
        throw ApproveException.refused("network-invalid", "that is no id of a network");
      }
    }

    /**
     * The mint, as it is to be signed.
     *
     * @throws ApproveException value-differs, funding-differs
     */
    MintView read(IssuanceDesk desk) {
      MintView view = desk.mint(id(mint));
      if (!view.status().equals("awaiting-approval")) {
        throw ApproveException.refused("mint-conflict", "the mint is decided already");
      }
      if (view.statement().value().minor() != value) {
        throw ApproveException.refused(
            "value-differs",
            "the mint is of "
                + view.statement().value().minor()
                + " minor units and not of "
                + value
                + ": nothing was signed");
      }
      if (!view.fundingId().equals(funding)) {
        throw ApproveException.refused(
            "funding-differs",
            "the mint is of the funding " + view.fundingId() + ": nothing was signed");
      }
      return view;
    }
  }

  @Command(
      name = "new-key",
      description = "Makes a key in a new file and prints its public half for the bank's settings.")
  void newKey(
      @Option(names = "--out", paramLabel = "FILE", required = true, description = "a new file")
          Path file) {
    byte[] seed = new byte[Ed25519PrivateKey.SEED_BYTES];
    RANDOM.nextBytes(seed);
    try (Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(seed)) {
      PrivateFiles.writeNew(file, seed);
      out.println("public key: " + key.publicKey().base64());
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  @Command(name = "public-key", description = "Prints the public half of a key.")
  void publicKey(@ArgGroup(multiplicity = "1") KeyOptions key) {
    out.println("public key: " + key.key().publicKey().base64());
  }

  @Command(name = "waiting", description = "The mints that wait for approvals.")
  void waiting(@Mixin DeskOptions options) {
    try (IssuanceDesk desk = options.open()) {
      List<MintView> waiting = desk.waiting();
      if (waiting.isEmpty()) {
        out.println("no mint waits");
      }
      waiting.forEach(this::show);
    }
  }

  @Command(
      name = "mint",
      description = {
        "Signs a mint and sends the approval.",
        "Look up the money that arrived at the bank first: its funding, sum and sender."
      })
  void mint(
      @Mixin DeskOptions options,
      @Mixin MintOptions wanted,
      @Option(
              names = "--as",
              paramLabel = "NAME",
              required = true,
              description = "your name in the network's trust settings")
          String name,
      @ArgGroup(multiplicity = "1") KeyOptions key) {
    try (IssuanceDesk desk = options.open()) {
      MintView view = wanted.read(desk);
      out.println(desk.funding(view.fundingId()));
      byte[] signature = key.key().sign(MintApproval.message(wanted.network(), view.statement()));
      send(desk, view, name, signature);
    }
  }

  @Command(
      name = "message",
      description = "Writes what to sign for a mint, for a key that this command cannot use.")
  void message(
      @Mixin DeskOptions options,
      @Mixin MintOptions wanted,
      @Option(names = "--out", paramLabel = "FILE", required = true, description = "a new file")
          Path file) {
    try (IssuanceDesk desk = options.open()) {
      MintView view = wanted.read(desk);
      PrivateFiles.writeNew(file, MintApproval.message(wanted.network(), view.statement()));
      show(view);
    }
  }

  @Command(
      name = "submit",
      description = "Sends a signature over what 'message' wrote: Ed25519, 64 bytes.")
  void submit(
      @Mixin DeskOptions options,
      @Mixin MintOptions wanted,
      @Option(names = "--as", paramLabel = "NAME", required = true, description = "your name")
          String name,
      @Option(
              names = "--public-key",
              paramLabel = "BASE64",
              required = true,
              description = "your key's public half; the signature is checked before it leaves")
          String publicKey,
      @Option(
              names = "--signature",
              paramLabel = "FILE",
              required = true,
              description = "the signature")
          Path file) {
    Ed25519PublicKey key;
    try {
      key = Ed25519PublicKey.fromBase64(publicKey);
    } catch (ProtocolException e) {
      throw ApproveException.refused("key-invalid", "that is no Ed25519 public key in base64");
    }
    byte[] signature = readSignature(file);
    try (IssuanceDesk desk = options.open()) {
      MintView view = wanted.read(desk);
      if (!key.verify(MintApproval.message(wanted.network(), view.statement()), signature)) {
        throw ApproveException.refused(
            "approval-invalid", "the signature is not this key's over this mint");
      }
      send(desk, view, name, signature);
    }
  }

  @Command(name = "refuse", description = "Refuses a mint for good; its value is free again.")
  void refuse(
      @Mixin DeskOptions options,
      @Parameters(paramLabel = "MINT", description = "the mint's id") String mint,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "1 to 500 characters, for the bank's record and the holder")
          String reason) {
    try (IssuanceDesk desk = options.open()) {
      show(desk.refuse(id(mint), reason));
    }
  }

  private void send(IssuanceDesk desk, MintView view, String name, byte[] signature) {
    MintApproval approval;
    try {
      approval = new MintApproval(name, signature);
    } catch (ProtocolException e) {
      throw ApproveException.refused("approval-invalid", e.detail());
    }
    show(desk.approve(view.statement().mintId(), approval));
  }

  private void show(MintView view) {
    out.printf(
        "%s%n  value %d minor units, funding %s, requested %s%n  %s, approved by %s%n",
        view.id(),
        view.statement().value().minor(),
        view.fundingId(),
        view.requestedAt(),
        view.status(),
        view.approvers().isEmpty() ? "nobody" : String.join(", ", view.approvers()));
  }

  private static byte[] readSignature(Path file) {
    try {
      if (Files.size(file) == Ed25519PublicKey.SIGNATURE_BYTES) {
        return Files.readAllBytes(file);
      }
    } catch (IOException e) {
      throw ApproveException.file("the signature " + file + " cannot be read");
    }
    throw ApproveException.file("the signature " + file + " does not have 64 bytes");
  }

  private static MintId id(String text) {
    try {
      return MintId.of(Base64Url.decode(text, "mint"));
    } catch (ProtocolException e) {
      throw ApproveException.refused("mint-invalid", "that is no id of a mint: " + e.detail());
    }
  }
}
