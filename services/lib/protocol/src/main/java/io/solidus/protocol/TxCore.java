package io.solidus.protocol;

import java.util.List;

/**
 * A statement's identity, lock key and idempotency key (protocol section 4):
 * SHA-256("solidus/core/v2" || network digest || family || body). Proof, limits and roots are
 * evidence and not part of it.
 */
@Spec("E-12")
public record TxCore(Digest32 value) {
  /** The format of cores, which every digest of a core begins with. */
  public static final String DOMAIN = "solidus/core/v2";

  public static TxCore of(byte[] bytes) {
    return new TxCore(new Digest32(bytes));
  }

  public static TxCore fromHex(String hex) {
    return new TxCore(Digest32.fromHex(hex));
  }

  public byte[] bytes() {
    return value.bytes();
  }

  public String hex() {
    return value.hex();
  }

  static TxCore register(NetworkId network, RegisterStatement statement) {
    return of(start(network, Family.REGISTER).bytes(statement.apk().bytes()), statement.coin());
  }

  static TxCore mint(NetworkId network, MintStatement statement) {
    Transcript body =
        start(network, Family.MINT)
            .bytes(statement.mintId().bytes())
            .u64(statement.value().minor());
    return of(body, statement.coin());
  }

  static TxCore transfer(NetworkId network, TransferStatement statement) {
    Transcript body = start(network, statement.family()).u8(statement.serials().size());
    statement.serials().forEach(serial -> body.bytes(serial.bytes()));
    body.u8(statement.outputs().size());
    statement.outputs().forEach(coin -> body.bytes(coin.cm().bytes()).bytes(coin.k().bytes()));
    body.u32(statement.period().yyyymm())
        .u64(statement.withdrawn().minor())
        .bytes(statement.context().bytes());
    return of(body.sha256());
  }

  static TxCore recover(NetworkId network, byte[] body, List<BlindedCoin> outputs) {
    Transcript all = start(network, Family.RECOVER).bytes(body).u8(outputs.size());
    outputs.forEach(coin -> all.bytes(coin.cm().bytes()).bytes(coin.k().bytes()));
    return of(all.sha256());
  }

  private static Transcript start(NetworkId network, Family family) {
    return new Transcript(DOMAIN).bytes(network.digest().bytes()).u8(family.code());
  }

  private static TxCore of(Transcript body, BlindedCoin coin) {
    return of(body.bytes(coin.cm().bytes()).bytes(coin.k().bytes()).sha256());
  }
}
