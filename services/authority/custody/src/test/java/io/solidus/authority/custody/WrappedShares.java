package io.solidus.authority.custody;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Seals development shares under a token's key with the command that authorities use. */
public final class WrappedShares {
  private WrappedShares() {}

  /** Makes the token's key and the envelope. */
  public static Path wrap(TestCommittee keys, int authority, TokenAccess token, Path envelope) {
    String[] access = {
      "--library",
      token.library().toString(),
      "--slot",
      String.valueOf(token.slot()),
      "--key-label",
      token.keyLabel(),
      "--pin-file",
      token.pinFile().toString()
    };
    run("token-key", access);
    run(
        "wrap",
        access,
        "--keys",
        keys.keysDir().toString(),
        "--manifest-key",
        keys.manifestKeyBase64(),
        "--network",
        keys.network().value(),
        "--class",
        "development",
        "--share",
        keys.shareFile(authority).toString(),
        "--out",
        envelope.toString());
    return envelope;
  }

  private static void run(String command, String[] access, String... more) {
    String[] all = new String[1 + access.length + more.length];
    all[0] = command;
    System.arraycopy(access, 0, all, 1, access.length);
    System.arraycopy(more, 0, all, 1 + access.length, more.length);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
    assertThat(CustodyCommand.run(all, stream, stream))
        .as(output.toString(StandardCharsets.UTF_8))
        .isZero();
  }
}
