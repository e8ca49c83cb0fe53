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
  void readsPagesOfHistory() {
    byte[] asked = new RecordWriter().u64(5).u32(7).sized(WITNESS).take();
    byte[] shown =
        new RecordWriter()
            .u32(7)
            .text("")
            .list(
                List.of("rent"),
                (w, text) ->
                    w.raw(new byte[32])
                        .text("id")
                        .u64(1)
                        .u64(2)
                        .u64(0)
                        .u64(3)
                        .text("sld1")
                        .text(text))
            .take();
    byte[] effects = new RecordWriter().u32(2).u8(6).sized(asked).u8(7).sized(shown).take();
    List<Effect> all = Effect.list(effects);
    assertThat(all).hasSize(2);
    assertThat(all.getFirst())
        .isInstanceOfSatisfying(
            Effect.Archive.class,
            page -> {
              assertThat(page.number()).isEqualTo(5);
              assertThat(page.page()).isEqualTo(7);
              assertThat(page.bytes()).isEqualTo(WITNESS);
            });
    assertThat(all.getLast())
        .isInstanceOfSatisfying(
            Effect.Page.class,
            page ->
                assertThat(page.history())
                    .singleElement()
                    .extracting(CoreView.Transfer::text)
                    .isEqualTo("rent"));
  }

  @Test
  void anEffectThatCannotBeReadIsClearedToo() {
    byte[] unknown = effects(9);
    assertThatThrownBy(() -> Effect.list(unknown)).isInstanceOf(IllegalStateException.class);
    assertThat(unknown).containsOnly(0);
  }
}
