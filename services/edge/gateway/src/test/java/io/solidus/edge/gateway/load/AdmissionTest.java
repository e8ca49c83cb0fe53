package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Eventually;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.load.Admission.RequestClass;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdmissionTest {
  private static final int PLACES = 16;
  private static final int MANY = 100_000;

  private final Admission admission =
      new Admission(
          new GatewayProperties.MaxConcurrent(
              PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES),
          new GatewayProperties.MaxPerSecond(MANY, MANY, MANY, MANY),
          new GatewayProperties.Tokens("", "", PLACES, MANY),
          Duration.ZERO);

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
  @EnumSource(names = {"DOUBTFUL_PAYMENT", "LOOK_UP", "RECOVER", "POST", "STRANGER"})
  void strangersGetTheirRateAndPaymentsAreNotLimited(RequestClass kind) {
    Admission slow =
        new Admission(
            new GatewayProperties.MaxConcurrent(
                PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, PLACES),
            new GatewayProperties.MaxPerSecond(1, 1, 1, 1),
            new GatewayProperties.Tokens("", "", PLACES, 1),
            Duration.ZERO);
    // one request for more than an hour of the rate
    assertThat(slow.run(kind, 10_000, () -> "served")).isEqualTo("served");
    assertOverloaded(() -> slow.run(kind, () -> "served"));
    for (int i = 0; i < 10 * PLACES; i++) {
      assertThat(slow.run(RequestClass.PAYMENT, () -> "served")).isEqualTo("served");
    }
    assertOverloaded(() -> slow.run(kind, () -> "served"));
  }

  /**
   * Who sends the next request as soon as the one before is refused gets few refusals, and holds no
   * place meanwhile. Payments are refused at once.
   */
  @Test
  @Timeout(60)
  void aRefusalTakesItsTime() throws Exception {
    Admission paced = paced();
    CountDownLatch held = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> post = threads.submit(() -> hold(paced, RequestClass.POST, held, end));
      Future<String> payment = threads.submit(() -> hold(paced, RequestClass.PAYMENT, held, end));
      held.await();
      assertOverloaded(() -> paced.run(RequestClass.PAYMENT, () -> "served"));
      CompletableFuture<RejectionCode> refusal = new CompletableFuture<>();
      Thread stranger =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  String unused = paced.run(RequestClass.POST, () -> "served");
                } catch (ProtocolException e) {
                  refusal.complete(e.code());
                }
              });
      Eventually.holds(() -> assertThat(stranger.getState()).isEqualTo(Thread.State.TIMED_WAITING));
      end.countDown();
      assertThat(post.get()).isEqualTo("served");
      assertThat(payment.get()).isEqualTo("served");
      assertThat(paced.run(RequestClass.POST, () -> "served")).isEqualTo("served");
      assertThat(refusal).isNotDone();
      stranger.interrupt();
      assertThat(refusal.get()).isEqualTo(RejectionCode.OVERLOADED);
    }
  }

  /** What an authority or the prover refuses was worked on, and is passed on at once. */
  @Test
  @Timeout(60)
  void aRefusalOfTheWorkIsPassedOnAtOnce() {
    Admission paced = paced();
    assertOverloaded(() ->
        paced.run(
            RequestClass.PROOF,
            () -> {
              throw new ProtocolException(RejectionCode.OVERLOADED, "the prover is busy");
            }));
  }

  /** One place in each class, and refusals that take longer than any test. */
  private static Admission paced() {
    return new Admission(
        new GatewayProperties.MaxConcurrent(1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
        new GatewayProperties.MaxPerSecond(MANY, MANY, MANY, MANY),
        new GatewayProperties.Tokens("", "", 1, MANY),
        Duration.ofMinutes(10));
  }

  private static String hold(
      Admission admission, RequestClass kind, CountDownLatch held, CountDownLatch end) {
    return admission.run(
        kind,
        () -> {
          held.countDown();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return "served";
        });
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
