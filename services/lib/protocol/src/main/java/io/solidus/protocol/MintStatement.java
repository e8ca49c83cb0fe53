package io.solidus.protocol;

/** A mint: a blinded coin of a public value. */
public record MintStatement(MintId mintId, Amount value, BlindedCoin coin) {

  public InputDigest inputDigest(NetworkId network) {
    return InputDigest.mint(network, mintId, value);
  }

  public TxCore core(NetworkId network) {
    return TxCore.mint(network, this);
  }

  /**
   * The serial number that reserves the mint: SHA-512("solidus/mint-serial/v2" || network digest ||
   * mint id) mod r.
   */
  @Spec("E-14")
  public SerialNumber serial(NetworkId network) {
    byte[] digest =
        new Transcript("solidus/mint-serial/v2")
            .bytes(network.digest().bytes())
            .bytes(mintId.bytes())
            .sha512();
    return new SerialNumber(FieldElement.reduce(digest));
  }
}
