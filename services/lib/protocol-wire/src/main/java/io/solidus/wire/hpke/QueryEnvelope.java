package io.solidus.wire.hpke;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Encryption between a wallet and an authority's copies of the mailbox's tables. Each share of a
 * query is sealed to its authority's key, and the answer under a secret of the same context: all
 * shares together, or all answers, would tell the gateway in between which message is asked for.
 */
@Spec("F-55")
public final class QueryEnvelope {
  private static final byte[] INFO = ascii("solidus/mail-query/v1");
  private static final byte[] ANSWER_KEY_LABEL = ascii("solidus/mail-answer-key/v1");
  private static final int ANSWER_KEY_BYTES = 32;

  private QueryEnvelope() {}

  /** Seals a share, on the wallet's side. */
  public static Asked seal(
      EncryptionKey replica, NetworkId network, int authority, MailQuery query) {
    HpkeSender sender = Hpke.sender(replica, INFO);
    byte[] sealed = sender.seal(associated(network, authority), query.encode());
    return new Asked(
        new SealedMessage(sender.encapsulatedKey(), sealed),
        sender.export(ANSWER_KEY_LABEL, ANSWER_KEY_BYTES));
  }

  /**
   * Opens a share, on the authority's side.
   *
   * @throws HpkeException when it was not sealed to this key for this network and authority
   */
  public static Opened open(
      HpkePrivateKey key, NetworkId network, int authority, SealedMessage message) {
    HpkeReceiver receiver = Hpke.receiver(key, message.encapsulatedKey(), INFO);
    byte[] query = receiver.open(associated(network, authority), message.ciphertext());
    return new Opened(query, receiver.export(ANSWER_KEY_LABEL, ANSWER_KEY_BYTES));
  }

  private static byte[] associated(NetworkId network, int authority) {
    byte[] digest = network.digest().bytes();
    return ByteBuffer.allocate(digest.length + 1).put(digest).put((byte) authority).array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** A sealed share and the key that opens its answer. */
  public static final class Asked implements AutoCloseable {
    private final SealedMessage message;
    private final byte[] answerKey;

    private Asked(SealedMessage message, byte[] answerKey) {
      this.message = message;
      this.answerKey = answerKey;
    }

    public SealedMessage message() {
      return message;
    }

    /**
     * Opens the answer.
     *
     * @throws HpkeException when it was not sealed for this share
     */
    public byte[] openAnswer(byte[] sealedAnswer) {
      return AnswerCipher.open(answerKey, sealedAnswer);
    }

    @Override
    public void close() {
      Arrays.fill(answerKey, (byte) 0);
    }
  }

  /** An opened share. */
  public static final class Opened implements AutoCloseable {
    private final byte[] query;
    private final byte[] answerKey;

    private Opened(byte[] query, byte[] answerKey) {
      this.query = query;
      this.answerKey = answerKey;
    }

    /** As {@link MailQuery#decode} reads it. */
    public byte[] query() {
      return query.clone();
    }

    public byte[] sealAnswer(byte[] answer, SecureRandom random) {
      return AnswerCipher.seal(answerKey, answer, random);
    }

    @Override
    public void close() {
      Arrays.fill(query, (byte) 0);
      Arrays.fill(answerKey, (byte) 0);
    }
  }
}
