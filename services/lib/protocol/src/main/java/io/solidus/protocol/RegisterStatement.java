package io.solidus.protocol;

/** A registration: a holder's blinded first compliance coin (paper, Algorithm 11). */
public record RegisterStatement(Apk apk, BlindedCoin coin) {

  public InputDigest inputDigest(NetworkId network) {
    return InputDigest.register(network, apk);
  }

  public TxCore core(NetworkId network) {
    return TxCore.register(network, this);
  }
}
