package io.solidus.loadtest.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Share;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("process")
class LoadTestKeysTest {
  private final LoadTestKeys keys = ForgeFixture.keys();

  @Test
  void keysOpenWhereTheirClassIsAllowed() {
    try (KeySet set = keys.open()) {
      assertThat(set.keyClass()).isEqualTo(KeyClass.LOAD_TEST);
      assertThat(set.circuits().keySet())
          .containsExactlyInAnyOrder(Family.TRANSFER, Family.REGISTER, Family.MINT, Family.RECOVER);
      assertThat(set.circuits())
          .hasEntrySatisfying(
              Family.TRANSFER, circuit -> assertThat(circuit.provingKeyBytes()).isZero());
      for (int i = 1; i <= set.committee().n(); i++) {
        try (Share share = keys.share(i)) {
          assertThat(share.matches(set.committee().member(i))).isTrue();
        }
        assertThat(keys.noteSigner(i).publicKey().publicKey().bytes())
            .isEqualTo(set.committee().member(i).noteKey().bytes());
      }
    }
  }

  /** Production allows the ceremony's class alone. */
  @ParameterizedTest
  @EnumSource(value = KeyClass.class, names = "LOAD_TEST", mode = EnumSource.Mode.EXCLUDE)
  void everyOtherClassSetRefusesThem(KeyClass allowed) {
    assertThat(refusal(Set.of(allowed))).isEqualTo(NativeErrorCode.KEYS_CLASS);
    assertThat(refusal(EnumSet.complementOf(EnumSet.of(KeyClass.LOAD_TEST))))
        .isEqualTo(NativeErrorCode.KEYS_CLASS);
    assertThat(refusal(Set.of())).isEqualTo(NativeErrorCode.KEYS_CLASS);
  }

  private NativeErrorCode refusal(Set<KeyClass> allowed) {
    return catchThrowableOfType(
            NativeException.class,
            () ->
                KeySet.open(keys.dir(), keys.network(), keys.kind(), allowed, keys.manifestKey())
                    .close())
        .code();
  }

  @Test
  void onlyTheOwnerCanReadTheSimulatorsSecrets() throws Exception {
    assertThat(Files.getPosixFilePermissions(keys.dir().resolve("simulator.json")))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    assertThat(keys.dir().resolve("transfer.pk")).doesNotExist();
  }

  @Test
  void cachedKeysAreReusedForTheSameNetworkOnly(@TempDir Path dir) {
    NetworkId network = new NetworkId("forge-made");
    LoadTestKeys made = LoadTestKeys.make(dir, network, NetworkKind.UNREGULATED, 4);
    assertThat(LoadTestKeys.make(dir, network, NetworkKind.UNREGULATED, 4).manifestKey())
        .isEqualTo(made.manifestKey());
    assertThatThrownBy(() -> LoadTestKeys.make(dir, network, NetworkKind.UNREGULATED, 7))
        .isInstanceOf(ForgeException.class);
    assertThatThrownBy(() -> LoadTestKeys.make(dir, network, NetworkKind.REGULATED, 4))
        .isInstanceOf(ForgeException.class);
  }
}
