package io.solidus.authority.custody;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeException;
import io.solidus.prover.Share;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The command behind {@code ./solidus ceremony token-key | wrap | rewrap | unwrap | unwrap-check},
 * which seals a key share under a key in a PKCS#11 token. Errors go to standard error and start
 * with their code. The exit status is 1 for a refusal and 2 for wrong usage. Under the production
 * profile the native library opens keys of class ceremony only.
 */
public final class CustodyCommand {
  private static final String USAGE =
      """
      usage: solidus ceremony token-key    TOKEN
             solidus ceremony wrap         TOKEN KEYS --share FILE --out FILE
             solidus ceremony rewrap       TOKEN KEYS --share FILE --out FILE
             solidus ceremony unwrap       TOKEN --share FILE --out FILE
             solidus ceremony unwrap-check TOKEN KEYS --share FILE --authority INDEX
      TOKEN: --library FILE --slot NUMBER --key-label LABEL --pin-file FILE
      KEYS:  --keys DIR --manifest-key KEY --network ID [--kind regulated|unregulated] [--class ceremony|development]
      """;

  private static final int REFUSED = 1;
  private static final int WRONG_USAGE = 2;

  private final Map<String, String> options;
  private final PrintStream out;

  private CustodyCommand(Map<String, String> options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /** Runs a command and returns the exit status. */
  static int run(String[] args, PrintStream out, PrintStream err) {
    if (List.of(args).contains("--help")) {
      out.print(USAGE);
      return 0;
    }
    try {
      CustodyCommand command = new CustodyCommand(options(args), out);
      switch (args[0]) {
        case "token-key" -> command.tokenKey();
        case "wrap" -> command.wrap();
        case "rewrap" -> command.rewrap();
        case "unwrap" -> command.unwrap();
        case "unwrap-check" -> command.unwrapCheck();
        default -> throw new UsageException("unknown command " + args[0]);
      }
      return 0;
    } catch (UsageException e) {
      err.println(e.getMessage());
      err.print(USAGE);
      return WRONG_USAGE;
    } catch (NativeException | IllegalStateException e) {
      err.println("solidus-custody: " + e.getMessage());
      return REFUSED;
    }
  }

  private void tokenKey() {
    Token.makeKey(access());
    out.println("made: AES-256 key " + required("key-label") + ", sensitive, not extractable");
  }

  private void wrap() {
    try (KeySet keys = keys();
        ShareFile file = ShareFile.read(Path.of(required("share")))) {
      seal(file, keys);
    }
  }

  /** Seals the share again for a new manifest of the same committee. */
  private void rewrap() {
    try (KeySet keys = keys();
        ShareFile file = ShareFile.unwrap(Path.of(required("share")), access())) {
      seal(file, keys);
    }
  }

  /** Writes the envelope, then opens it again and compares the share. */
  private void seal(ShareFile file, KeySet keys) {
    Path target = Path.of(required("out"));
    Binding binding = Binding.of(keys, file.index());
    requireShareOf(file, keys);
    ShareEnvelope envelope;
    try (Token token = Token.open(access())) {
      envelope = file.seal(token, binding);
    }
    writeNew(target, envelope.encode());
    try (ShareFile written = ShareFile.read(target, access(), binding)) {
      if (!written.sameAs(file)) {
        throw new CustodyException(
            CustodyCode.TOKEN_FAILED, "the envelope does not contain the share; delete it");
      }
    }
    describe("wrapped", binding);
  }

  /** Writes the plain share file, which a refresh needs. */
  private void unwrap() {
    try (ShareFile file = ShareFile.unwrap(Path.of(required("share")), access())) {
      Path target = Path.of(required("out"));
      file.copyTo(raw -> writeNew(target, raw));
      out.println(
          "unwrapped: share of authority " + file.index() + "; destroy the file after the refresh");
    }
  }

  private void unwrapCheck() {
    int authority = number("authority");
    try (KeySet keys = keys()) {
      Binding binding = Binding.of(keys, authority);
      try (ShareFile file = ShareFile.read(Path.of(required("share")), access(), binding)) {
        requireShareOf(file, keys);
        if (file.index() != authority) {
          throw new CustodyException(
              CustodyCode.SHARE_WRONG,
              "the envelope contains the share of an authority that it does not name");
        }
      }
      describe("ok", binding);
    }
  }

  private void describe(String what, Binding binding) {
    out.println(
        what
            + ": share of authority "
            + binding.authority()
            + " of "
            + binding.network()
            + ", epoch "
            + binding.epoch()
            + ", manifest sha256 "
            + binding.manifest().hex());
  }

  private static void requireShareOf(ShareFile file, KeySet keys) {
    if (keys.keyClass() == KeyClass.CEREMONY) {
      file.requireCeremony();
    }
    int index = file.index();
    if (index < 1 || index > keys.committee().members().size()) {
      throw new CustodyException(
          CustodyCode.SHARE_WRONG, "the committee has no authority " + index);
    }
    try (Share share = file.open(index)) {
      if (!share.matches(keys.committee().member(index))) {
        throw new CustodyException(
            CustodyCode.SHARE_WRONG, "the share does not belong to the committee in the manifest");
      }
    }
  }

  private KeySet keys() {
    KeyClass keyClass =
        switch (options.getOrDefault("class", "ceremony")) {
          case "ceremony" -> KeyClass.CEREMONY;
          case "development" -> KeyClass.DEVELOPMENT;
          default -> throw new UsageException("--class must be ceremony or development");
        };

    return KeySet.open(
        Path.of(required("keys")),
        new NetworkId(required("network")),
        kind(),
        Set.of(keyClass),
        manifestKey());
  }

  private NetworkKind kind() {
    try {
      return NetworkKind.valueOf(
          options.getOrDefault("kind", "regulated").toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--kind must be regulated or unregulated");
    }
  }

  private byte[] manifestKey() {
    String text = required("manifest-key");
    try {
      return text.length() == 64 ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--manifest-key must be 32 bytes in hexadecimal or base64");
    }
  }

  private TokenAccess access() {
    Path library = Path.of(required("library"));
    return new TokenAccess(
        library, number("slot"), required("key-label"), Path.of(required("pin-file")));
  }

  private int number(String name) {
    try {
      return Integer.parseInt(required(name));
    } catch (NumberFormatException e) {
      throw new UsageException("--" + name + " must be a number");
    }
  }

  private String required(String name) {
    String value = options.get(name);
    if (value == null) {
      throw new UsageException("--" + name + " is required");
    }
    return value;
  }

  private static Map<String, String> options(String[] args) {
    if (args.length % 2 == 0) {
      throw new UsageException("expected a command and options with one value each");
    }
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || options.put(args[i].substring(2), args[i + 1]) != null) {
        throw new UsageException("unknown or repeated option: " + args[i]);
      }
    }
    return options;
  }

  /** Writes a new file with mode 0600 and flushes it to disk. */
  private static void writeNew(Path file, byte[] content) {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel =
        FileChannel.open(
            file,
            options,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer remaining = ByteBuffer.wrap(content);
      while (remaining.hasRemaining()) {
        channel.write(remaining);
      }
      channel.force(true);
    } catch (FileAlreadyExistsException e) {
      throw new CustodyException(CustodyCode.FILE, file.getFileName() + " exists already");
    } catch (IOException e) {
      throw new CustodyException(CustodyCode.FILE, file.getFileName() + " cannot be written");
    }
  }

  /** Wrong command-line arguments. */
  private static final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }
}
