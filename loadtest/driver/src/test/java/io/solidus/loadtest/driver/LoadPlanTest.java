package io.solidus.loadtest.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadPlanTest {
  private static final Path SCRIPTS = Path.of("..", "k6");
  private static final Set<String> ROUTES =
      Set.of(
          "info",
          "keys",
          "policy",
          "checkpoint",
          "list",
          "submit",
          "state",
          "certificate",
          "mailbox-post",
          "mailbox-read");

  @Test
  void everyScenarioHasAScriptAndEveryScriptAScenario() {
    assertThat(LoadPlan.names())
        .containsExactlyInAnyOrder("smoke", "load", "stress", "soak", "spike");
    assertThat(SCRIPTS.toFile().list((dir, name) -> name.endsWith(".js")))
        .containsExactlyInAnyOrderElementsOf(
            LoadPlan.names().stream().map(name -> name + ".js").toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"smoke", "load", "stress", "soak", "spike"})
  void limitsNameExistingPhasesAndRoutes(String name) {
    LoadPlan plan = LoadPlan.of(name, 0, 0);
    List<String> phases = plan.phases().stream().map(LoadPlan.Phase::name).toList();
    assertThat(phases).doesNotHaveDuplicates().containsAll(plan.limits().phases());
    assertThat(plan.limits().phases()).isNotEmpty();
    assertThat(ROUTES).containsAll(plan.limits().routes().keySet());
    assertThat(plan.limits().routes())
        .containsKey("submit")
        .allSatisfy((route, limit) -> assertThat(limit.p95()).isLessThan(limit.p99()));
    assertThat(plan.weights()).containsKeys("pay", "look", "read", "admin");
    assertThat(plan.neverAllowed())
        .contains("internal", "serial-conflict")
        .doesNotContain("overloaded");
  }

  @Test
  void aRunMayBeFasterOrShorterThanTheScenarioSays() {
    LoadPlan plan = LoadPlan.of("load", 20, 0);
    assertThat(plan.seconds()).isEqualTo(300);
    assertThat(plan.payments()).isEqualTo(20 * (36 + 240));
    LoadPlan brief = LoadPlan.of("load", 20, 30);
    assertThat(brief.seconds()).isEqualTo(30);
    assertThat((double) brief.payments()).isCloseTo(plan.payments() / 10.0, within(2.0));
    assertThat(brief.perSecond("look", 1)).isEqualTo(10);
    assertThatThrownBy(() -> LoadPlan.of("storm", 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("smoke");
  }
}
