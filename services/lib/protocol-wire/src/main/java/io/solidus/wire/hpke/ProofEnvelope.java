package io.solidus.wire.hpke;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Encryption between a wallet and a prover. The witness is sealed to the prover's key. The proof is
 * sealed under a secret of the same context, so that only the wallet that sent the request can read
 * it. Network and statement family are authenticated with the witness.
 */
@Spec("F-10")
public final class ProofEnvelope {
  private static final byte[] INFO = ascii("solidus/prove/v1");
  private static final byte[] PROOF_KEY_LABEL = ascii("solidus/proof-key/v1");
  private static final int PROOF_KEY_BYTES = 32;

  private ProofEnvelope() {}

  /** Seals a witness, on the wallet's side. The caller overwrites the witness. */
  public static Asked seal(EncryptionKey prover, NetworkId network, Family family, byte[] witness) {
    HpkeSender sender = Hpke.sender(prover, INFO);
    byte[] sealed = sender.seal(associated(network, family), witness);
    return new Asked(
        new SealedMessage(sender.encapsulatedKey(), sealed),
        sender.export(PROOF_KEY_LABEL, PROOF_KEY_BYTES));
  }

  /**
   * Opens a witness, on the prover's side.
   *
   * @throws HpkeException when the witness was not sealed to this key for this network and family
   */
  public static Opened open(
      HpkePrivateKey key, NetworkId network, Family family, SealedMessage message) {
    HpkeReceiver receiver = Hpke.receiver(key, message.encapsulatedKey(), INFO);
    byte[] witness = receiver.open(associated(network, family), message.ciphertext());
    return new Opened(witness, receiver.export(PROOF_KEY_LABEL, PROOF_KEY_BYTES));
  }

  private static byte[] associated(NetworkId network, Family family) {
    byte[] digest = network.digest().bytes();
    return ByteBuffer.allocate(digest.length + 1).put(digest).put((byte) family.code()).array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** A sealed request and the key that opens its proof. */
  public static final class Asked implements AutoCloseable {
    private final SealedMessage message;
    private final byte[] proofKey;

    private Asked(SealedMessage message, byte[] proofKey) {
      this.message = message;
      this.proofKey = proofKey;
    }

    public SealedMessage message() {
      return message;
    }

    /**
     * Opens the proof.
     *
     * @throws HpkeException when the proof was not sealed for this request
     */
    public byte[] openProof(byte[] sealedProof) {
      return AnswerCipher.open(proofKey, sealedProof);
    }

    @Override
    public void close() {
      Arrays.fill(proofKey, (byte) 0);
    }
  }

  /** An opened request. Closing overwrites the witness. */
  public static final class Opened implements AutoCloseable {
    private final byte[] witness;
    private final byte[] proofKey;

    private Opened(byte[] witness, byte[] proofKey) {
      this.witness = witness;
      this.proofKey = proofKey;
    }

    /** The bytes themselves, not a copy. They are zeros after {@link #close()}. */
    public byte[] witness() {
      return witness;
    }

    public byte[] sealProof(byte[] proof, SecureRandom random) {
      return AnswerCipher.seal(proofKey, proof, random);
    }

    @Override
    public void close() {
      Arrays.fill(witness, (byte) 0);
      Arrays.fill(proofKey, (byte) 0);
    }
  }
}
