package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Apk;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SanctionKey;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SanctionTreeTest {
  private static byte[] join(List<SanctionKey> keys) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    keys.forEach(key -> out.writeBytes(key.bytes()));
    return out.toByteArray();
  }

  private static List<SanctionKey> keys(int count) {
    return Stream.generate(() -> SanctionKey.of(new Apk(Wallet.field())))
        .limit(count)
        .sorted()
        .toList();
  }

  private static NativeErrorCode refusal(byte[] keys) {
    return catchThrowableOfType(
            NativeException.class, () -> SanctionTree.build(TestKeys.NETWORK, keys).close())
        .code();
  }

  @Test
  void pathsSurroundTheAddress() {
    List<SanctionKey> keys = keys(100);
    try (SanctionTree tree = SanctionTree.build(TestKeys.NETWORK, join(keys))) {
      assertThat(tree.size()).isEqualTo(100);
      Apk apk = new Apk(Wallet.field());
      MembershipPath path = tree.path(apk);
      assertThat(path.low()).isLessThan(SanctionKey.of(apk));
      assertThat(path.high()).isGreaterThan(SanctionKey.of(apk));
      assertThat(path.siblings()).hasSize(24);
    }
  }

  @Test
  void listedAddressesHaveNoPath() {
    Apk listed = new Apk(Wallet.field());
    List<SanctionKey> keys =
        Stream.concat(keys(10).stream(), Stream.of(SanctionKey.of(listed))).sorted().toList();
    try (SanctionTree tree = SanctionTree.build(TestKeys.NETWORK, join(keys))) {
      NativeException e = catchThrowableOfType(NativeException.class, () -> tree.path(listed));
      assertThat(e.code()).isEqualTo(NativeErrorCode.LISTED);
    }
  }

  @Test
  void rootsDependOnTheListAndTheNetwork() {
    byte[] keys = join(keys(5));
    try (SanctionTree a = SanctionTree.build(TestKeys.NETWORK, keys);
        SanctionTree same = SanctionTree.build(TestKeys.NETWORK, keys);
        SanctionTree other = SanctionTree.build(new NetworkId("elsewhere"), keys);
        SanctionTree empty = SanctionTree.build(TestKeys.NETWORK, new byte[0])) {
      assertThat(a.root())
          .isEqualTo(same.root())
          .isNotEqualTo(other.root())
          .isNotEqualTo(empty.root());
      assertThat(empty.size()).isZero();
    }
  }

  @Test
  void badListsAreRefused() {
    List<SanctionKey> keys = keys(3);
    assertThat(refusal(join(keys.reversed()))).isEqualTo(NativeErrorCode.LIST_NOT_SORTED);
    assertThat(refusal(join(List.of(keys.get(0), keys.get(1), keys.get(1)))))
        .isEqualTo(NativeErrorCode.LIST_DUPLICATE);
    assertThat(refusal(join(List.of(SanctionKey.FIRST, keys.get(0)))))
        .isEqualTo(NativeErrorCode.LIST_SENTINEL);
    assertThat(refusal(join(List.of(keys.get(0), SanctionKey.LAST))))
        .isEqualTo(NativeErrorCode.LIST_SENTINEL);
    assertThat(refusal(new byte[19])).isEqualTo(NativeErrorCode.BAD_LENGTH);
  }

  @Test
  void aClosedTreeIsRefused() {
    SanctionTree tree = SanctionTree.build(TestKeys.NETWORK, new byte[0]);
    tree.close();
    NativeException e =
        catchThrowableOfType(NativeException.class, () -> tree.path(new Apk(Wallet.field())));
    assertThat(e.code()).isEqualTo(NativeErrorCode.UNKNOWN_HANDLE);
  }
}
