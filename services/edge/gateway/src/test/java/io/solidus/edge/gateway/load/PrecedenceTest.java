package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.load.Admission.RequestClass;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrecedenceTest {
  private static final double LOWEST = 1;

  /** Work for longer than a request waits for its turn. */
  private static final int HEAVY = 10;

  private long now = 1;
  private double waiting;
  private final Precedence precedence =
      new Precedence(
          EnumSet.of(RequestClass.READ, RequestClass.STRANGER), () -> waiting, () -> now, LOWEST);

  /** Attack: a stranger reads as fast as he can while others pay. */
  @Test
  void freeRequestsBeginSlowlyWhilePaymentsAreMadeAndWorkWaits() {
    waiting = 0.5;
    pay();
    pass(1);
    assertThat(givesWay(RequestClass.READ)).isTrue();
  }

  @Test
  void oneFreeClassDoesNotStarveAnother() {
    waiting = 0.5;
    pay();
    pass(1);
    assertThat(givesWay(RequestClass.READ)).isTrue();
    assertThat(precedence.mayBegin(RequestClass.STRANGER, 1)).isTrue();
  }

  @Test
  void otherClassesDoNotGiveWay() {
    waiting = 1;
    pay();
    pass(1);
    assertThat(givesWay(RequestClass.POST)).isFalse();
  }

  @Test
  void idleProcessorsServeFreeRequests() {
    pay();
    pass(1);
    assertThat(givesWay(RequestClass.READ)).isFalse();
  }

  @Test
  void withoutPaymentsAFloodIsServed() {
    waiting = 1;
    pay();
    now += Precedence.RECENT.toNanos();
    assertThat(givesWay(RequestClass.READ)).isFalse();
  }

  /** A payment that takes long is a payment that is made. */
  @Test
  void aPaymentThatEndsCounts() {
    waiting = 1;
    String unused =
        precedence.payment(() -> {
          now += Precedence.RECENT.toNanos();
          return "signed";
        });
    assertThat(givesWay(RequestClass.READ)).isTrue();
  }

  /** Attack: a stranger sends junk in place of a transfer, so that others' reads are slow. */
  @ParameterizedTest
  @EnumSource(names = {"MALFORMED_REQUEST", "PROOF_INVALID", "SERIAL_CONFLICT", "STALE_POLICY"})
  void junkIsNoPayment(RejectionCode refusal) {
    waiting = 1;
    refuse(refusal);
    pass(1);
    assertThat(givesWay(RequestClass.READ)).isFalse();
  }

  /** A flood under which no payment ends must not go on for want of payments. */
  @ParameterizedTest
  @EnumSource(names = {"OVERLOADED", "UNAVAILABLE", "NO_QUORUM"})
  void aPaymentForWhichAuthoritiesHadNoTimeCounts(RejectionCode refusal) {
    waiting = 1;
    refuse(refusal);
    pass(1);
    assertThat(givesWay(RequestClass.READ)).isTrue();
  }

  @Test
  void theRateFallsAtOnceAndGrowsSlowly() {
    waiting = 0.11;
    pass(1);
    precedence.mayBegin(RequestClass.READ, 1);
    assertThat(precedence.perSecond()).isEqualTo(LOWEST);

    waiting = 0.09;
    pass(1);
    precedence.mayBegin(RequestClass.READ, 1);
    assertThat(precedence.perSecond()).isBetween(1.1 * LOWEST, 1.3 * LOWEST);

    pass(150); // half a minute in which nobody asks
    precedence.mayBegin(RequestClass.READ, 1);
    assertThat(precedence.perSecond()).isGreaterThan(10_000);
  }

  @Test
  void strangersAreTheOnesWhoShowNoToken() {
    Set<RequestClass> withTokens =
        Admission.free(new GatewayProperties.Tokens("https://issuer.example", "g.example", 1, 1));
    Set<RequestClass> without = Admission.free(new GatewayProperties.Tokens("", "", 1, 1));
    assertThat(withTokens)
        .contains(RequestClass.STRANGER, RequestClass.READ)
        .doesNotContain(RequestClass.POST, RequestClass.PROOF);
    assertThat(without)
        .containsAll(withTokens)
        .contains(RequestClass.POST, RequestClass.PROOF)
        .doesNotContain(RequestClass.PAYMENT, RequestClass.MINT, RequestClass.REGISTRATION);
  }

  private void pay() {
    String unused = precedence.payment(() -> "signed");
  }

  private void refuse(RejectionCode code) {
    assertThatThrownBy(
            () -> {
              String unused =
                  precedence.payment(() -> {
                    throw new ProtocolException(code, "refused");
                  });
            })
        .isInstanceOf(ProtocolException.class);
  }

  private void pass(int intervals) {
    now += intervals * Precedence.INTERVAL.toNanos();
  }

  /** Heavy work always begins; what follows it would wait until the rate has paid for it. */
  private boolean givesWay(RequestClass kind) {
    assertThat(precedence.mayBegin(kind, HEAVY)).isTrue();
    return !precedence.mayBegin(kind, 1);
  }
}
