package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bridge itself: whatever happens on the other side, this process lives and learns a code. */
class NativeLibraryTest {
  private static final Suite SUITE = new Suite(TestKeys.NETWORK);

  @Test
  void saysItsVersion() {
    NativeLibrary.load();
    assertThat(NativeLibrary.version()).startsWith("solidus-native");
  }

  @Test
  void aPanicBecomesAnException() {
    for (int i = 0; i < 100; i++) {
      NativeException e =
          catchThrowableOfType(NativeException.class, () -> Call.of(Operation.PANIC).send());
      assertThat(e.code()).isEqualTo(NativeErrorCode.INTERNAL);
      assertThat(e).hasMessageContaining("panic");
    }
    assertThat(SUITE.publicKey(Wallet.scalar())).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyOperationStandsGarbage(Operation operation) {
    Random random = new Random(operation.number());
    for (int size : new int[] {1, 2, 3, 7, 40, 48, 96, 100, 500, 1000, 2000, 16_000}) {
      for (int i = 0; i < 20; i++) {
        byte[] request = new byte[size];
        random.nextBytes(request);
        assertRefused(operation, request);
        if (size > 20) {
          // past the network's name, so that the fields behind it are reached
          byte[] name =
              TestKeys.NETWORK.value().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
          request[0] = request[1] = request[2] = 0;
          request[3] = (byte) name.length;
          System.arraycopy(name, 0, request, 4, name.length);
          assertRefused(operation, request);
        }
      }
    }
  }

  /**
   * Random scalars are a valid request to sign something, and a question may be answered no;
   * nothing else succeeds.
   */
  private static final Set<Operation> MAY_ANSWER =
      EnumSet.of(Operation.SIGN_CORE, Operation.VERIFY_CORE, Operation.PUBLIC_KEY);

  private static void assertRefused(Operation operation, byte[] request) {
    byte[] reply = NativeLibrary.call(operation.number(), request);
    NativeErrorCode code =
        NativeErrorCode.of(Byte.toUnsignedInt(reply[0]) << 8 | Byte.toUnsignedInt(reply[1]));
    if (!MAY_ANSWER.contains(operation)) {
      assertThat(code)
          .as("%s, %d bytes", operation, request.length)
          .isNotEqualTo(NativeErrorCode.OK);
    }
    if (operation != Operation.PANIC) {
      assertThat(code)
          .as("%s, %d bytes", operation, request.length)
          .isNotEqualTo(NativeErrorCode.INTERNAL);
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyOperationRefusesOversizedRequests(Operation operation) {
    NativeException e =
        catchThrowableOfType(
            NativeException.class,
            () -> Reply.of(NativeLibrary.call(operation.number(), new byte[64 << 20])));
    assertThat(e.code()).isEqualTo(NativeErrorCode.REQUEST_TOO_LARGE);
  }

  @Test
  void announcedLengthsAllocateNothing() {
    // 2^32 - 1 members, keys, bytes of text
    for (Operation operation :
        List.of(
            Operation.COMBINE,
            Operation.CHECK_COMMITTEE,
            Operation.TREE_BUILD,
            Operation.SHARE_OPEN)) {
      byte[] request = new byte[600];
      java.util.Arrays.fill(request, (byte) 0xff);
      assertRefused(operation, request);
    }
  }

  @Test
  void unknownOperationsAndMissingRequests() {
    assertThat(codeOf(999, new byte[0])).isEqualTo(NativeErrorCode.UNKNOWN_OPERATION);
    assertThat(codeOf(-1, new byte[10])).isEqualTo(NativeErrorCode.UNKNOWN_OPERATION);
    assertThat(codeOf(Operation.VERSION.number(), null))
        .isEqualTo(NativeErrorCode.MALFORMED_REQUEST);
    assertThat(codeOf(Operation.VERSION.number(), new byte[1]))
        .isEqualTo(NativeErrorCode.MALFORMED_REQUEST);
  }

  private static NativeErrorCode codeOf(int operation, byte[] request) {
    return catchThrowableOfType(
            NativeException.class, () -> Reply.of(NativeLibrary.call(operation, request)))
        .code();
  }

  @Test
  void handlesOfAnotherTypeAreRefused() {
    try (Share share = Share.open(Wallet.scalar().bytes(), Wallet.scalar().bytes(), 1)) {
      assertThat(share.index()).isEqualTo(1);
      for (long id = 0; id < 64; id++) {
        long handle = id;
        NativeException e =
            catchThrowableOfType(
                NativeException.class,
                () ->
                    Call.of(Operation.TREE_PATH).u64(handle).field(FieldElement.ofLong(1)).send());
        assertThat(e.code()).isEqualTo(NativeErrorCode.UNKNOWN_HANDLE);
      }
    }
  }

  /**
   * Native calls, garbage collections, null checks in compiled code, stack overflows and virtual
   * threads, all at once.
   */
  @Test
  void survivesConcurrencyUnderCollection() throws Exception {
    stress(8, 60);
  }

  /** Called from another process too, under the JVM's own checks of native code. */
  static void stress(int threads, int rounds) throws Exception {
    Scalar a = Wallet.scalar();
    Scalar alpha = Wallet.scalar();
    var rk = SUITE.randomisedKey(SUITE.publicKey(a), alpha);
    List<Future<?>> results = new ArrayList<>();
    try (ExecutorService platform = Executors.newFixedThreadPool(threads);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < threads; t++) {
        int id = t;
        ExecutorService executor = t % 2 == 0 ? platform : virtual;
        results.add(
            executor.submit(() -> {
              for (int i = 0; i < rounds; i++) {
                round(
                    a, alpha, rk, new TxCore(Digest32.sha256(new byte[] {(byte) id, (byte) i})), i);
              }
              return null;
            }));
      }
      for (Future<?> result : results) {
        result.get(180, TimeUnit.SECONDS);
      }
    }
  }

  private static void round(
      Scalar a, Scalar alpha, io.solidus.protocol.G1Point rk, TxCore core, int i) {
    byte[] signature = SUITE.signCore(a, alpha, core);
    require(SUITE.verifyCore(rk, core, signature));
    signature[100] ^= 1;
    require(!SUITE.verifyCore(rk, core, signature));
    require(
        SUITE.rhos(FieldElement.ofLong(i), new InputDigest(FieldElement.ofLong(i))).size() == 2);
    try {
      Call.of(Operation.PANIC).send();
      require(false);
    } catch (NativeException e) {
      require(e.code() == NativeErrorCode.INTERNAL);
    }
    int caught = 0;
    for (int k = 0; k < 500; k++) {
      caught += nullCheck((k & 1) == 0 ? null : "x");
    }
    require(caught == 250);
    if (i % 10 == 0) {
      require(overflows());
    }
    byte[][] garbage = new byte[100][];
    for (int k = 0; k < garbage.length; k++) {
      garbage[k] = new byte[50_000];
    }
    if (i % 20 == 0) {
      System.gc();
    }
  }

  private static int nullCheck(Object o) {
    try {
      return o.hashCode() * 0;
    } catch (NullPointerException e) {
      return 1;
    }
  }

  private static boolean overflows() {
    try {
      return deep(1 << 30) < 0;
    } catch (StackOverflowError e) {
      return true;
    }
  }

  private static int deep(int n) {
    return n == 0 ? 0 : 1 + deep(n - 1) + (n & 1);
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }

  @Test
  void theJvmsOwnChecksFindNothing() throws Exception {
    Outcome outcome = run(List.of("-Xcheck:jni"), StressMain.class.getName());
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .doesNotContain("WARNING in native method")
        .doesNotContain("FATAL ERROR in native method");
  }

  @Test
  void aMissingFileIsSaidPlainly(@TempDir Path dir) throws Exception {
    Outcome outcome =
        run(
            List.of("-D" + NativeLibrary.PATH_PROPERTY + "=" + dir.resolve("nothing.so")),
            LoadMain.class.getName());
    assertThat(outcome.output())
        .contains("LIBRARY_MISSING")
        .contains("names no readable file")
        .contains("nothing.so");
  }

  @Test
  void aFileThatIsNoLibraryIsSaidPlainly(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("text.so"), "not a library");
    Outcome outcome =
        run(List.of("-D" + NativeLibrary.PATH_PROPERTY + "=" + file), LoadMain.class.getName());
    assertThat(outcome.output()).contains("LIBRARY_MISSING").contains("cannot be linked");
  }

  @Test
  void aPlatformWithoutLibraryIsSaidPlainly() throws Exception {
    Outcome outcome = run(List.of("-Dos.arch=sparc"), LoadMain.class.getName());
    assertThat(outcome.output()).contains("LIBRARY_MISSING").contains("no library for linux-sparc");
  }

  @Test
  void loadingLeavesNothingBehind() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Set<Path> before = unpacked(temporary);
    Outcome outcome = run(List.of(), LoadMain.class.getName());
    assertThat(outcome.output()).contains("loaded twice the same: true");
    assertThat(unpacked(temporary)).isSubsetOf(before);
  }

  private static Set<Path> unpacked(Path temporary) throws IOException {
    Set<Path> found = new HashSet<>();
    try (var entries = Files.newDirectoryStream(temporary, "solidus-native*")) {
      entries.forEach(found::add);
    }
    return found;
  }

  /** Loads and reports. */
  static final class LoadMain {
    public static void main(String[] args) {
      try {
        NativeLibrary.load();
        System.out.println(
            "loaded twice the same: " + NativeLibrary.version().equals(NativeLibrary.version()));
      } catch (NativeException e) {
        System.out.println(e.getMessage());
        try {
          NativeLibrary.load();
        } catch (NativeException again) {
          System.out.println(
              again.code() == e.code()
                  ? "the same the second time"
                  : "another code the second time");
        }
      }
    }
  }

  static final class StressMain {
    public static void main(String[] args) throws Exception {
      stress(4, 10);
    }
  }

  private record Outcome(int exit, String output) {}

  private static Outcome run(List<String> options, String main) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }
}
