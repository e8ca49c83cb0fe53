package io.solidus.dev.sandbox.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.prover.KeyClass;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SandboxOptionsTest {
  private static final Path DATA = Path.of("data");
  private static final Path KEYS = Path.of("keys");

  private static SandboxOptions of(KeyClass keyClass) {
    return new SandboxOptions(DATA, KEYS, Path.of("kafka"), Ports.standard(), 4, 2, keyClass);
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

  @Test
  void ceremonyKeysAreRefused() {
    assertThatThrownBy(() -> of(KeyClass.CEREMONY)).isInstanceOf(IllegalArgumentException.class);
  }
}
