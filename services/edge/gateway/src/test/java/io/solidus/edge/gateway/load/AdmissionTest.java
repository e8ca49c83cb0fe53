package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.load.Admission.RequestClass;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdmissionTest {
  private static final int PLACES = 16;
  private static final int MANY = 100_000;

  private final Admission admission =
      new Admission(
          new GatewayProperties.MaxConcurrent(
              PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES),
          new GatewayProperties.MaxPerSecond(MANY, MANY, MANY));

  @ParameterizedTest
  @EnumSource(RequestClass.class)
  void aFullClassLeavesTheOthersTheirPlaces(RequestClass full) {
    holding(
        full,
        PLACES,
        () -> {
          for (RequestClass other : RequestClass.values()) {
            if (other != full) {
              assertThat(admission.run(other, () -> "served")).isEqualTo("served");
            }
          }
          assertOverloaded(() -> admission.run(full, () -> "served"));
          return "";
        });
    assertThat(admission.run(full, () -> "served")).isEqualTo("served");
  }

  @Test
  void heavyWorkTakesSeveralPlaces() {
    holding(
        RequestClass.LOOK_UP,
        PLACES - 1,
        () -> {
          assertOverloaded(() -> admission.run(RequestClass.LOOK_UP, 2, () -> "served"));
          return admission.run(RequestClass.LOOK_UP, () -> "served");
        });
  }

  @Test
  void workHeavierThanItsClassRunsAlone() {
    holding(
        RequestClass.LOOK_UP,
        PLACES + 1,
        () -> {
          assertOverloaded(() -> admission.run(RequestClass.LOOK_UP, () -> "served"));
          return "";
        });
    holding(
        RequestClass.LOOK_UP,
        1,
        () -> {
          assertOverloaded(() -> admission.run(RequestClass.LOOK_UP, PLACES + 1, () -> "served"));
          return "";
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"DOUBTFUL_PAYMENT", "LOOK_UP", "RECOVER"})
  void strangersGetTheirRateAndPaymentsAreNotLimited(RequestClass kind) {
    Admission slow =
        new Admission(
            new GatewayProperties.MaxConcurrent(
                PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES),
            new GatewayProperties.MaxPerSecond(1, 1, 1));
    // one request for more than an hour of the rate
    assertThat(slow.run(kind, 10_000, () -> "served")).isEqualTo("served");
    assertOverloaded(() -> slow.run(kind, () -> "served"));
    for (int i = 0; i < 10 * PLACES; i++) {
      assertThat(slow.run(RequestClass.PAYMENT, () -> "served")).isEqualTo("served");
    }
    assertOverloaded(() -> slow.run(kind, () -> "served"));
  }

  private void holding(RequestClass kind, int weight, Supplier<String> meanwhile) {
    String unused = admission.run(kind, weight, meanwhile);
  }

  private static void assertOverloaded(Supplier<String> work) {
    assertThatThrownBy(work::get)
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(RejectionCode.OVERLOADED));
  }
}
