package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bridge: every failure of the library becomes a code, and this process stays alive. */
class NativeLibraryTest {
  private static final Suite SUITE = new Suite(TestKeys.NETWORK);

  @Test
  void hasAVersion() {
    NativeLibrary.load();
    assertThat(NativeLibrary.version()).startsWith("solidus-native");
  }

  @Test
  void aPanicBecomesAnException() {
    for (int i = 0; i < 100; i++) {
      NativeException e =
          catchThrowableOfType(
              NativeException.class, () -> NativeRequest.of(Operation.PANIC).send());
      assertThat(e.code()).isEqualTo(NativeErrorCode.INTERNAL);
      assertThat(e).hasMessageContaining("panic");
    }
    assertThat(SUITE.publicKey(Wallet.keyScalar())).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyOperationRefusesGarbage(Operation operation) {
    Random random = new Random(operation.number());
    for (int size : new int[] {1, 2, 3, 7, 32, 40, 64, 96, 100, 500, 1000, 2000, 16_000}) {
      for (int i = 0; i < 20; i++) {
        byte[] request = new byte[size];
        random.nextBytes(request);
        assertRefused(operation, request);
        if (size > 20) {
          // a valid network name, so that the fields after it are read
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

  /** Operations for which random bytes can be a valid request. */
  private static final Set<Operation> MAY_SUCCEED =
      EnumSet.of(Operation.SIGN_CORE, Operation.VERIFY_CORE, Operation.PUBLIC_KEY);

  private static void assertRefused(Operation operation, byte[] request) {
    byte[] reply = NativeLibrary.call(operation.number(), request);
    NativeErrorCode code =
        NativeErrorCode.of((Byte.toUnsignedInt(reply[0]) << 8) | Byte.toUnsignedInt(reply[1]));
    if (!MAY_SUCCEED.contains(operation)) {
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
            () -> NativeReply.of(NativeLibrary.call(operation.number(), new byte[64 << 20])));
    assertThat(e.code()).isEqualTo(NativeErrorCode.REQUEST_TOO_LARGE);
  }

  @Test
  void announcedLengthsAllocateNoMemory() {
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
  void refusesUnknownOperationsAndMissingRequests() {
    assertThat(codeOf(999, new byte[0])).isEqualTo(NativeErrorCode.UNKNOWN_OPERATION);
    assertThat(codeOf(-1, new byte[10])).isEqualTo(NativeErrorCode.UNKNOWN_OPERATION);
    assertThat(codeOf(Operation.VERSION.number(), null))
        .isEqualTo(NativeErrorCode.MALFORMED_REQUEST);
    assertThat(codeOf(Operation.VERSION.number(), new byte[1]))
        .isEqualTo(NativeErrorCode.MALFORMED_REQUEST);
  }

  private static NativeErrorCode codeOf(int operation, byte @Nullable [] request) {
    return catchThrowableOfType(
            NativeException.class, () -> NativeReply.of(NativeLibrary.call(operation, request)))
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
                    NativeRequest.of(Operation.TREE_PATH)
                        .u64(handle)
                        .field(FieldElement.ofLong(1))
                        .send());
        assertThat(e.code()).isEqualTo(NativeErrorCode.UNKNOWN_HANDLE);
      }
    }
  }

  /**
   * Native calls, garbage collections, null checks in compiled code, stack overflows and virtual
   * threads at the same time.
   */
  @Test
  void survivesConcurrencyDuringGarbageCollection() throws Exception {
    stress(8, 60);
  }

  /** Also runs in another process, with the JVM's own checks of native code. */
  static void stress(int threads, int rounds) throws Exception {
    KeyScalar a = Wallet.keyScalar();
    KeyScalar alpha = Wallet.keyScalar();
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
        result.get(10, TimeUnit.MINUTES);
      }
    }
  }

  private static void round(KeyScalar a, KeyScalar alpha, KeyPoint rk, TxCore core, int i) {
    byte[] signature = SUITE.signCore(a, alpha, core);
    require(SUITE.verifyCore(rk, core, signature));
    signature[80] ^= 1;
    require(!SUITE.verifyCore(rk, core, signature));
    require(
        SUITE.rhos(FieldElement.ofLong(i), new InputDigest(FieldElement.ofLong(i))).size() == 2);
    try {
      NativeRequest.of(Operation.PANIC).send();
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

  @SuppressWarnings("NullAway") // the JVM's own null check is under test
  private static int nullCheck(@Nullable Object o) {
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
}
