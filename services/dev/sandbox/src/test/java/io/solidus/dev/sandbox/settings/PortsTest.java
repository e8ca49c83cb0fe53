package io.solidus.dev.sandbox.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {

  @Test
  void usedPortsAreNamedBeforeAnythingStarts() throws IOException {
    Ports ports = Ports.shifted(1_000);
    try (ServerSocket other =
        new ServerSocket(ports.signer(2), 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> ports.requireFree(4, 2))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(other.getLocalPort() + " (authority 2, signer)")
          .hasMessageContaining("--port-shift")
          .hasMessageNotContaining("authority 3");
    }
    assertThatCode(() -> ports.requireFree(4, 2)).doesNotThrowAnyException();
  }

  @Test
  void portsOfOneSandboxDiffer() {
    Ports ports = Ports.standard();
    List<Integer> some =
        List.of(
            ports.shard(1, 0),
            ports.shard(1, 7),
            ports.signer(1),
            ports.issuer(1),
            ports.shard(2, 0),
            ports.prover());
    assertThat(some).doesNotHaveDuplicates();
    assertThatThrownBy(() -> ports.shard(1, 8)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-7_057, 46_443, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void refusesAShiftThatLeavesTheValidRange(int by) {
    assertThatThrownBy(() -> Ports.shifted(by))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-7056 to 46442");
  }

  @ParameterizedTest
  @ValueSource(ints = {-7_056, 0, 46_442})
  void acceptsShiftsToTheEndsOfTheRange(int by) {
    assertThat(Ports.shifted(by).gateway()).isEqualTo(8080 + by);
  }
}
