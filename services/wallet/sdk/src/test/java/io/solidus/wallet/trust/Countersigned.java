package io.solidus.wallet.trust;

import io.solidus.protocol.Committee;

/** Gives tests of other packages the wallet's check of countersignatures. */
public final class Countersigned {
  private Countersigned() {}

  public static String text(Committee committee, String note) {
    return CountersignatureCheck.text(committee, note, "note");
  }
}
