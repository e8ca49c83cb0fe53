package io.solidus.protocol;

import java.time.Instant;

/**
 * States of serial numbers that an authority signed with its note key, for one look-up. The nonce
 * of the look-up is not part of the message: only who drew it knows that the answer is not an old
 * one.
 *
 * @param authority index of the authority, 1 to N; the key says whose answer it is
 * @param signature 64 bytes
 */
@Spec("W-09")
public record SignedStates(int authority, SerialStates states, StateSignature signature) {
  private static final String DOMAIN = "solidus/state/v1\0";
  private static final byte[] ZEROS = new byte[Digest32.BYTES];

  public SignedStates {
    if (authority < 1 || authority > Committee.MAX_MEMBERS) {
      throw ProtocolException.malformed("an authority's index is 1 to N");
    }
  }

  /** An Ed25519 signature over states. */
  public static final class StateSignature extends FixedBytes {
    /**
     * @param bytes 64 bytes
     */
    public StateSignature(byte[] bytes) {
      super(bytes, Ed25519PublicKey.SIGNATURE_BYTES, "a signature of states");
    }
  }

  /** Signs as an authority. */
  public static SignedStates sign(
      NoteSigner noteKey, int authority, NetworkId network, Digest32 nonce, SerialStates states) {
    return new SignedStates(
        authority, states, new StateSignature(noteKey.signBytes(message(network, nonce, states))));
  }

  /**
   * Whether the authority signed this for the nonce, with a note key that counts at the time: its
   * present one, or a former one until the time that the manifest states.
   */
  public boolean isSigned(Committee committee, Digest32 nonce, Instant at) {
    return authority <= committee.n()
        && committee
            .noteKeys(authority)
            .signed(message(committee.network(), nonce, states), signature.bytes(), at);
  }

  /**
   * Returns the signed bytes: "solidus/state/v1" || 0 || network digest || nonce || map version u64
   * || policy u64 || checkpoint u64 || period u32 || count u8 || (serial number || status u8 ||
   * core || request digest)*. The zero byte keeps them apart from a note, whose text has no such
   * character.
   */
  public static byte[] message(NetworkId network, Digest32 nonce, SerialStates states) {
    StateFloors floors = states.floors();
    Transcript message =
        new Transcript(DOMAIN)
            .bytes(network.digest().bytes())
            .bytes(nonce.bytes())
            .u64(states.mapVersion())
            .u64(floors.policyVersion())
            .u64(floors.checkpointVersion())
            .u32(floors.period().yyyymm())
            .u8(states.states().size());
    for (SerialStates.State state : states.states()) {
      message
          .bytes(state.serial().bytes())
          .u8(state.core().isPresent() ? 1 : 0)
          .bytes(state.core().map(TxCore::bytes).orElse(ZEROS))
          .bytes(state.request().map(Digest32::bytes).orElse(ZEROS));
    }
    return message.toBytes();
  }
}
