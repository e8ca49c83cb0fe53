package io.solidus.operator.issuance.mint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.ProtocolException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApproversTest {
  private static Approver approver(String name, String subject, int key) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) key);
    return Approver.parse(name, Ed25519PrivateKey.fromSeed(seed).publicKey().base64(), subject);
  }

  @Test
  void needsTwoPersonsWithDifferentKeys() {
    assertThatThrownBy(() -> new Approvers(List.of(approver("a", "anna", 1))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> new Approvers(List.of(approver("a", "anna", 1), approver("b", "anna", 2))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> new Approvers(List.of(approver("a", "anna", 1), approver("b", "ben", 1))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void findsAnApproverOnlyForTheOwnSubject() {
    Approvers approvers = new Approvers(List.of(approver("a", "anna", 1), approver("b", "ben", 2)));
    assertThat(approvers.require("a", "anna").name()).isEqualTo("a");
    assertThatThrownBy(() -> approvers.require("a", "ben")).isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> approvers.require("c", "anna")).isInstanceOf(ProtocolException.class);
  }

  @Test
  void refusesAnInvalidKey() {
    assertThatThrownBy(() -> Approver.parse("a", "AAAA", "anna"))
        .isInstanceOf(IllegalStateException.class);
  }
}
