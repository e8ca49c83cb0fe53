package io.solidus.dev.sandbox.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SandboxOptionsTest {
  private static final Path DATA = Path.of("data");
  private static final Path KEYS = Path.of("keys");

  private static SandboxOptions of(KeyClass keyClass) {
    return new SandboxOptions(
        DATA, KEYS, Path.of("kafka"), Ports.standard(), 4, 2, keyClass, NetworkKind.REGULATED);
  }

  @Test
  void developmentOptionsHaveDevelopmentKeys() {
    SandboxOptions options = SandboxOptions.development(DATA, Path.of("kafka"), 0, 2);
    assertThat(options.keyClass()).isEqualTo(KeyClass.DEVELOPMENT);
    assertThat(ServiceProperties.keyClasses(options)).isEqualTo("development");
    assertThat(options.network().value()).isEqualTo(SandboxOptions.NETWORK);
  }

  /** A sandbox opens keys of one class only. */
  @Test
  void loadTestsOpenOnlyTheirOwnKeysOnTheirOwnNetwork() {
    SandboxOptions options = of(KeyClass.LOAD_TEST);
    assertThat(ServiceProperties.keyClasses(options)).isEqualTo("load-test");
    assertThat(options.keys()).isEqualTo(KEYS);
    assertThat(options.network()).isNotEqualTo(of(KeyClass.DEVELOPMENT).network());
  }

  /** Neither keys nor data nor the name of a network are those of the other kind. */
  @Test
  void onlyDevelopmentKeysOfARegulatedNetworkGetShapes() {
    assertThatThrownBy(() -> of(KeyClass.LOAD_TEST).withShapes())
        .isInstanceOf(IllegalArgumentException.class);
    SandboxOptions regulated = SandboxOptions.development(DATA, Path.of("kafka"), 0, 2);
    assertThatThrownBy(() -> regulated.unregulated().withShapes())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnregulatedSandboxSharesNothingWithARegulatedOne() {
    SandboxOptions regulated = of(KeyClass.DEVELOPMENT);
    SandboxOptions unregulated = regulated.unregulated();
    assertThat(unregulated.isRegulated()).isFalse();
    assertThat(unregulated.network()).isNotEqualTo(regulated.network());
    assertThat(unregulated.keys()).isNotEqualTo(regulated.keys());
    assertThat(unregulated.data()).isNotEqualTo(regulated.data());
    assertThatThrownBy(() -> of(KeyClass.LOAD_TEST).unregulated())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ceremonyKeysAreRefused() {
    assertThatThrownBy(() -> of(KeyClass.CEREMONY)).isInstanceOf(IllegalArgumentException.class);
  }
}
