package io.solidus.protocol;

import java.util.List;

/**
 * D, which binds every output of a statement to the statement's inputs. A public input of every
 * circuit.
 *
 * <p>D = SHA-512("solidus/D/v2" || network digest || family || body) mod r. Without it two
 * statements could share blinded outputs, and partial signatures for both together could reach a
 * quorum that neither has alone, which creates money.
 */
@Spec("E-11")
public record InputDigest(FieldElement value) {
  private static final String DOMAIN = "solidus/D/v2";

  /** The digest of a registration: binds to the address key. */
  public static InputDigest register(NetworkId network, Apk apk) {
    return of(start(network, Family.REGISTER).bytes(apk.bytes()));
  }

  /** The digest of a mint: binds to its id and value. */
  public static InputDigest mint(NetworkId network, MintId mintId, Amount value) {
    return of(start(network, Family.MINT).bytes(mintId.bytes()).u64(value.minor()));
  }

  /**
   * The digest of a transfer. It does not depend on the outputs, because a wallet derives their
   * randomness from it.
   */
  public static InputDigest transfer(
      NetworkId network,
      Family family,
      List<SerialNumber> serials,
      Amount withdrawn,
      Digest32 context) {
    Transcript body = start(network, family).u8(serials.size());
    serials.forEach(serial -> body.bytes(serial.bytes()));
    return of(body.u64(withdrawn.minor()).bytes(context.bytes()));
  }

  /** The digest of a recover. */
  static InputDigest recover(NetworkId network, byte[] body) {
    return of(start(network, Family.RECOVER).bytes(body));
  }

  public static InputDigest of(byte[] bytes) {
    return new InputDigest(new FieldElement(bytes));
  }

  public byte[] bytes() {
    return value.bytes();
  }

  private static Transcript start(NetworkId network, Family family) {
    return new Transcript(DOMAIN).bytes(network.digest().bytes()).u8(family.code());
  }

  private static InputDigest of(Transcript body) {
    return new InputDigest(FieldElement.reduce(body.sha512()));
  }
}
