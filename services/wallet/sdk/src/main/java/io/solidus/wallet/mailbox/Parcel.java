package io.solidus.wallet.mailbox;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Signature;
import io.solidus.wallet.model.RegistrationCase;

/**
 * What a mailbox blob can hold. The owner's address is never in it: only the addressee can open it.
 */
public sealed interface Parcel {
  /** A coin for the addressee. */
  record Payment(
      Amount value, FieldElement rho, Signature signature, long atMillis, String reference)
      implements Parcel {}

  /** A copy to self of a minted coin, for a restore. */
  record Minted(Amount value, FieldElement rho, Signature signature, long atMillis)
      implements Parcel {}

  /**
   * A copy to self of the first compliance coin's signature, for a restore before the first
   * transfer.
   */
  record Registered(Signature signature) implements Parcel {}

  /**
   * A copy to self of a registration case, for a restore before its end.
   *
   * @param tag by a key of the wallet: anybody can seal a case of another person to an address,
   *     nobody else can tag it
   */
  record Registering(RegistrationCase opened, Digest32 tag) implements Parcel {}
}
