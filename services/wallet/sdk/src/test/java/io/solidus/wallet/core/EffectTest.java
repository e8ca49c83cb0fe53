package io.solidus.wallet.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class EffectTest {
  private static final byte[] WITNESS = {1, 2, 3};

  private static byte[] effects(int kind) {
    byte[] body = new RecordWriter().u64(5).u8(3).sized(WITNESS).take();
    return new RecordWriter().list(List.of(body), (w, one) -> w.u8(kind).sized(one)).take();
  }

  @Test
  void readingClearsTheWitnessBehindIt() {
    byte[] effects = effects(2);
    assertThat(Effect.list(effects))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Prove.class, proof -> assertThat(proof.witness()).isEqualTo(WITNESS));
    assertThat(effects).containsOnly(0);
  }

  @Test
  void anEffectThatCannotBeReadIsClearedToo() {
    byte[] unknown = effects(9);
    assertThatThrownBy(() -> Effect.list(unknown)).isInstanceOf(IllegalStateException.class);
    assertThat(unknown).containsOnly(0);
  }
}
