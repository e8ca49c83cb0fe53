package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MailReadingTest {
  private static final NetworkId NETWORK = new NetworkId("net");
  private static final NoteSigner SIGNER =
      NoteSigner.fromSeed(CommitteeMember.replicaName(7), new byte[32]);
  private static final MailReading READING =
      new MailReading(7, 1_000, "/v1/mailbox/tables/70/headers?after=1&upto=2");

  @Test
  @Spec("F-56")
  void aSignatureIsForOneRequestOfOneTime() {
    String header = READING.header(NETWORK, SIGNER);
    MailReading.Claim claim = MailReading.parse(header, READING.target());
    assertThat(claim.reading()).isEqualTo(READING);
    for (long now : new long[] {880, 1_000, 1_120}) {
      assertThat(claim.isBy(SIGNER.publicKey(), NETWORK, now)).isTrue();
    }
    for (long now : new long[] {879, 1_121}) {
      assertThat(claim.isBy(SIGNER.publicKey(), NETWORK, now)).isFalse();
    }
    assertThat(claim.isBy(SIGNER.publicKey(), new NetworkId("other"), 1_000)).isFalse();
    assertThat(
            MailReading.parse(header, "/v1/mailbox/tables")
                .isBy(SIGNER.publicKey(), NETWORK, 1_000))
        .isFalse();
    byte[] seed = new byte[32];
    seed[0] = 1;
    NoteSigner other = NoteSigner.fromSeed(CommitteeMember.replicaName(7), seed);
    assertThat(claim.isBy(other.publicKey(), NETWORK, 1_000)).isFalse();
  }

  @Test
  void whatHasAnotherFormIsRefused() {
    String header = READING.header(NETWORK, SIGNER);
    for (String wrong :
        List.of(
            "",
            header + "A",
            header.substring(1),
            "0" + header,
            "101" + header.substring(1),
            header.replace(" 1000 ", " 0 "),
            header.replace(' ', ','))) {
      assertThatThrownBy(() -> MailReading.parse(wrong, READING.target()))
          .isInstanceOf(ProtocolException.class);
    }
    for (String target : List.of("/a b", "/a\n", "/" + "a".repeat(256))) {
      assertThatThrownBy(() -> MailReading.parse(header, target))
          .isInstanceOf(ProtocolException.class);
    }
  }
}
