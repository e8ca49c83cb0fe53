package io.solidus.wallet.mailbox;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Signature;
import io.solidus.wallet.model.RegistrationCase;

/**
 * The content of a mailbox blob. It does not contain the owner's address: only the addressee can
 * open it.
 */
public sealed interface Parcel {
  /**
   * A coin for the addressee, who is its owner.
   *
   * @param origin the signature verifies for the true one only
   */
  record Payment(
      Origin origin,
      Amount value,
      FieldElement rho,
      Signature signature,
      long atMillis,
      String reference)
      implements Parcel {}

  /** A backup copy of a minted coin, sealed to the wallet itself. */
  record Minted(Amount value, FieldElement rho, Signature signature, long atMillis)
      implements Parcel {}

  /**
   * A backup copy of an own coin of an unregulated network, whose coins do not tell where they come
   * from.
   *
   * @param origin MINT or OWN
   * @param tag computed with a key of the wallet: any sender with the address can seal a coin to
   *     it, but only the wallet can compute the tag
   */
  record OwnCoin(
      Origin origin,
      Amount value,
      FieldElement rho,
      Signature signature,
      long atMillis,
      Digest32 tag)
      implements Parcel {}

  /**
   * A backup copy of the first compliance coin's signature, for a restore before the first
   * transfer.
   */
  record Registered(Signature signature) implements Parcel {}

  /**
   * A backup copy of a registration case, for a restore before its end.
   *
   * @param tag computed with a key of the wallet; any sender with the address can seal a foreign
   *     case to it, but only the wallet can compute the tag
   */
  record Registering(RegistrationCase opened, Digest32 tag) implements Parcel {}
}
