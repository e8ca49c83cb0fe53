package io.solidus.operator.approver;

import io.solidus.protocol.Ed25519PublicKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A key in a PKCS#11 token, used through OpenSC's {@code pkcs11-tool}: the JDK's provider for
 * tokens has no Ed25519. The program gets the PIN in an environment variable, which only processes
 * of the same user can read.
 *
 * @param library the token's PKCS#11 library
 * @param label the token's label
 * @param keyId the key's id, hexadecimal
 */
record TokenKey(Path library, String label, String keyId, Path pinFile) implements ApproverKey {
  private static final String PROGRAM = "pkcs11-tool";
  private static final String PIN_VARIABLE = "SOLIDUS_APPROVER_PIN";
  private static final long LIMIT_SECONDS = 60;
  private static final int MAX_PIN_BYTES = 256;
  private static final byte[] EDWARDS25519 = {
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00
  };

  @Override
  public Ed25519PublicKey publicKey() {
    return inFolder(folder -> {
      Path out = folder.resolve("public");
      run(List.of("--read-object", "--type", "pubkey", "--id", keyId, "--output-file", out + ""));
      return parse(read(out));
    });
  }

  @Override
  public byte[] sign(byte[] message) {
    return inFolder(folder -> {
      Path in = Files.write(folder.resolve("message"), message);
      Path out = folder.resolve("signature");
      run(
          List.of(
              "--sign",
              "--mechanism",
              "EDDSA",
              "--id",
              keyId,
              "--input-file",
              in + "",
              "--output-file",
              out + ""));
      return read(out);
    });
  }

  /** A public key as OpenSC writes it: SubjectPublicKeyInfo, DER or PEM by its version. */
  static Ed25519PublicKey parse(byte[] written) {
    byte[] der = written;
    String text = new String(written, StandardCharsets.US_ASCII);
    if (text.startsWith("-----BEGIN PUBLIC KEY-----")) {
      der = Base64.getMimeDecoder().decode(text.replaceAll("-----(BEGIN|END) PUBLIC KEY-----", ""));
    }
    int key = EDWARDS25519.length;
    if (der.length != key + Ed25519PublicKey.BYTES
        || !Arrays.equals(EDWARDS25519, Arrays.copyOf(der, key))) {
      throw ApproveException.refused("key-invalid", "the token's key is no Ed25519 key");
    }
    return new Ed25519PublicKey(Arrays.copyOfRange(der, key, der.length));
  }

  private interface Work<T> {
    T in(Path folder) throws IOException;
  }

  private static <T> T inFolder(Work<T> work) {
    try {
      Path folder = Files.createTempDirectory("solidus-approve");
      try {
        return work.in(folder);
      } finally {
        try (Stream<Path> left = Files.walk(folder)) {
          for (Path file : left.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    } catch (IOException e) {
      throw ApproveException.file("the temporary folder cannot be used");
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw ApproveException.refused("token-failed", PROGRAM + " wrote nothing");
    }
  }

  private void run(List<String> action) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(PROGRAM, "--module", library.toString(), "--token-label", label, "--login"));
    command.addAll(List.of("--pin", "env:" + PIN_VARIABLE));
    command.addAll(action);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    byte[] pin = PrivateFiles.read(pinFile, "the PIN file", MAX_PIN_BYTES);
    builder.environment().put(PIN_VARIABLE, new String(pin, StandardCharsets.UTF_8).strip());
    Arrays.fill(pin, (byte) 0);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw ApproveException.unavailable(
          "the program " + PROGRAM + " is missing: install OpenSC (Debian: opensc)");
    }
    try {
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw ApproveException.unavailable("the token did not answer in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApproveException.unavailable("interrupted");
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw ApproveException.refused(
          "token-failed",
          "the token refused: look at its label, its key's id and its PIN; tokens lock after a few"
              + " wrong PINs");
    }
  }
}
