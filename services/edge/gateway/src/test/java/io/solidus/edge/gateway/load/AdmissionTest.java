package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Eventually;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.load.Admission.RequestClass;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdmissionTest {
  private static final int PLACES = 16;
  private static final int MANY = 100_000;

  private final Admission admission =
      admission(PLACES, perSecond(MANY, MANY), new GatewayProperties.Tokens("", "", PLACES, MANY));

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

  /** Lists are signed also while strangers, or a dishonest authority, take what they can. */
  @Test
  void nobodyTakesThePlacesOfAReplica() {
    holding(
        RequestClass.READ,
        PLACES,
        () -> {
          assertOverloaded(() -> admission.run(RequestClass.READ, () -> "served"));
          String last =
              nested(
                  1,
                  PLACES,
                  () -> {
                    assertOverloaded(() -> admission.runForReplica(1, () -> "served"));
                    return admission.runForReplica(2, () -> "served");
                  });
          assertThat(last).isEqualTo("served");
          return admission.runForReplica(1, () -> "served");
        });
    // what goes beyond its places is a reading of anybody
    assertThat(nested(1, PLACES, () -> admission.runForReplica(1, () -> "served")))
        .isEqualTo("served");
  }

  /** Attack: dishonest authorities read all that they can. What is above their rate gives way. */
  @Test
  void aReplicaAboveItsRateReadsAsAnybody() {
    Admission slow =
        admission(PLACES, perSecond(1, MANY), new GatewayProperties.Tokens("", "", 1, MANY));
    String unused =
        slow.run(
            RequestClass.READ,
            PLACES,
            () -> {
              long begun = System.nanoTime();
              int served = 0;
              while (isServed(slow)) {
                served++;
              }
              long seconds = ReplicaPlaces.OWN_SAVED.toSeconds();
              assertThat(served)
                  .isBetween(
                      (int) seconds,
                      (int)
                          (seconds + 1 + Duration.ofNanos(System.nanoTime() - begun).toSeconds()));
              // it takes nothing of another's
              return slow.runForReplica(2, () -> "served");
            });
    assertThat(slow.runForReplica(1, () -> "served")).isEqualTo("served");
  }

  private static boolean isServed(Admission admission) {
    try {
      return admission.runForReplica(1, () -> "served").equals("served");
    } catch (ProtocolException e) {
      assertThat(e.code()).isEqualTo(RejectionCode.OVERLOADED);
      return false;
    }
  }

  /** Attack: a third of a hundred authorities take all of their places at once. */
  @Test
  void allReplicasTogetherHaveALimit() {
    holding(
        RequestClass.READ,
        PLACES,
        () ->
            nested(
                1,
                PLACES,
                () ->
                    nested(
                        2,
                        PLACES,
                        () -> {
                          assertOverloaded(() -> admission.runForReplica(3, () -> "served"));
                          return "";
                        })));
    assertThat(
            nested(
                1, PLACES, () -> nested(2, PLACES, () -> admission.runForReplica(3, () -> "it"))))
        .as("what is above it is a read")
        .isEqualTo("it");
  }

  /** A list is read at once, after minutes without readings. */
  @Test
  void aReplicaSavesWhatItDoesNotRead() {
    AtomicLong nanos = new AtomicLong(7);
    ReplicaPlaces places = new ReplicaPlaces(1, 2, ReplicaPlaces.OWN_SAVED, nanos::get);
    assertThat(readings(places)).isEqualTo(1_000);
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(readings(places)).isEqualTo(600);
    nanos.addAndGet(Duration.ofDays(9).toNanos());
    assertThat(readings(places)).isEqualTo(1_000);
    nanos.addAndGet(Duration.ofMillis(499).toNanos());
    assertThat(readings(places)).isZero();
    nanos.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(readings(places)).isEqualTo(1);
  }

  private static int readings(ReplicaPlaces places) {
    int readings = 0;
    while (places.tryEnter()) {
      places.leave();
      readings++;
    }
    return readings;
  }

  /** Runs work while a replica reads in so many places. */
  private String nested(int authority, int places, Supplier<String> work) {
    return places == 0
        ? work.get()
        : admission.runForReplica(authority, () -> nested(authority, places - 1, work));
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
        admission(PLACES, perSecond(1, MANY), new GatewayProperties.Tokens("", "", PLACES, 1));
    // one request for more than an hour of the rate
    assertThat(slow.run(kind, 10_000, () -> "served")).isEqualTo("served");
    assertOverloaded(() -> slow.run(kind, () -> "served"));
    for (int i = 0; i < 10 * PLACES; i++) {
      assertThat(slow.run(RequestClass.PAYMENT, () -> "served")).isEqualTo("served");
    }
    assertOverloaded(() -> slow.run(kind, () -> "served"));
  }

  /**
   * Attack: one stranger on many connections, who sends the next request as soon as the one before
   * is refused. Only few are refused, and those that wait hold no place. Payments are refused at
   * once.
   */
  @Test
  @Timeout(60)
  void refusalsWaitForTheirTurns() throws Exception {
    int connections = 300; // the last one waits for five minutes
    Admission paced = paced();
    CountDownLatch held = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    Queue<RejectionCode> refusals = new ConcurrentLinkedQueue<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> post = threads.submit(() -> hold(paced, RequestClass.POST, held, end));
      Future<String> payment = threads.submit(() -> hold(paced, RequestClass.PAYMENT, held, end));
      held.await();
      assertOverloaded(() -> paced.run(RequestClass.PAYMENT, () -> "served"));
      List<Thread> strangers =
          IntStream.range(0, connections)
              .mapToObj(i -> Thread.ofVirtual().start(() -> refused(paced, refusals)))
              .toList();
      Eventually.holds(() ->
          assertThat(strangers)
              .filteredOn(each -> each.getState() == Thread.State.TIMED_WAITING)
              .hasSizeGreaterThan(connections - 65));
      end.countDown();
      assertThat(post.get()).isEqualTo("served");
      assertThat(payment.get()).isEqualTo("served");
      assertThat(paced.run(RequestClass.POST, () -> "served")).isEqualTo("served");
      assertThat(refusals).as("at most one a second of this test").hasSizeLessThan(65);
      strangers.forEach(Thread::interrupt);
      for (Thread stranger : strangers) {
        stranger.join();
      }
      assertThat(refusals).hasSize(connections).containsOnly(RejectionCode.OVERLOADED);
    }
  }

  private static void refused(Admission admission, Queue<RejectionCode> refusals) {
    try {
      String unused = admission.run(RequestClass.POST, () -> "served");
    } catch (ProtocolException e) {
      refusals.add(e.code());
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

  /** One place in each class, and a refusal a second. */
  private static Admission paced() {
    return admission(1, perSecond(MANY, 1), new GatewayProperties.Tokens("", "", 1, MANY));
  }

  private static Admission admission(
      int places, GatewayProperties.MaxPerSecond perSecond, GatewayProperties.Tokens tokens) {
    return new Admission(
        new GatewayProperties.MaxConcurrent(
            places,
            places,
            places,
            places,
            places,
            places,
            places,
            places,
            places,
            places,
            places,
            2 * places),
        perSecond,
        tokens,
        new Precedence(Admission.free(tokens), () -> 0, System::nanoTime, 1),
        new Refusals(perSecond, () -> "192.0.2.1", () -> false));
  }

  private static GatewayProperties.MaxPerSecond perSecond(int requests, int refusals) {
    return new GatewayProperties.MaxPerSecond(
        requests, requests, requests, requests, refusals, refusals, 1, requests, MANY);
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
