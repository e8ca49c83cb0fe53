package io.solidus.wire.hpke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A share on its way to an authority, and the answer on its way back. */
class QueryEnvelopeTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private final SecureRandom random = new SecureRandom();
  private final HpkePrivateKey key = HpkePrivateKey.generate(random);
  private final MailQuery query =
      new MailQuery(new MailboxBucket(127), 5, 9, Digest32.sha256(), new byte[] {1, 2, 3});

  @Test
  @Spec("F-55")
  void aShareAndItsAnswerRoundTrip() {
    QueryEnvelope.Asked asked = QueryEnvelope.seal(key.publicKey(), NETWORK, 3, query);
    QueryEnvelope.Opened opened = QueryEnvelope.open(key, NETWORK, 3, asked.message());
    assertThat(MailQuery.decode(opened.query()).encode()).isEqualTo(query.encode());
    byte[] sealed = opened.sealAnswer(new byte[1200], random);
    assertThat(sealed).hasSize(1228);
    assertThat(asked.openAnswer(sealed)).isEqualTo(new byte[1200]);
  }

  /** The gateway gives the answer to one query as that to another, or one authority's share on. */
  @Test
  void nothingOpensInAnotherPlace() {
    QueryEnvelope.Asked asked = QueryEnvelope.seal(key.publicKey(), NETWORK, 3, query);
    QueryEnvelope.Asked again = QueryEnvelope.seal(key.publicKey(), NETWORK, 3, query);
    byte[] sealed =
        QueryEnvelope.open(key, NETWORK, 3, asked.message()).sealAnswer(new byte[1200], random);
    assertThatThrownBy(() -> again.openAnswer(sealed)).isInstanceOf(HpkeException.class);
    assertThatThrownBy(() -> QueryEnvelope.open(key, NETWORK, 4, asked.message()))
        .isInstanceOf(HpkeException.class);
    assertThatThrownBy(
            () -> QueryEnvelope.open(key, new NetworkId("solidus-other"), 3, asked.message()))
        .isInstanceOf(HpkeException.class);
  }

  @Test
  void otherQueriesAreRefused() {
    byte[] right = query.encode();
    for (int length = 0; length < 50; length++) {
      byte[] shorter = Arrays.copyOf(right, length);
      assertThatThrownBy(() -> MailQuery.decode(shorter)).isInstanceOf(ProtocolException.class);
    }
    for (int bucket : new int[] {0, 128, 255}) {
      byte[] other = right.clone();
      other[1] = (byte) bucket;
      assertThatThrownBy(() -> MailQuery.decode(other)).isInstanceOf(ProtocolException.class);
    }
    byte[] version = right.clone();
    version[0] = 2;
    assertThatThrownBy(() -> MailQuery.decode(version)).isInstanceOf(ProtocolException.class);
    assertThatThrownBy(
            () -> new MailQuery(MailboxBucket.WHOLE, 9, 9, Digest32.sha256(), new byte[1]))
        .isInstanceOf(ProtocolException.class);
  }
}
