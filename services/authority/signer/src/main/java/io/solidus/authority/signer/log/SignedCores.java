package io.solidus.authority.signer.log;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.HashSet;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tells which cores this signer signed before, in whatever epoch, by its own table. */
public final class SignedCores {

  private final JdbcClient jdbc;

  public SignedCores(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Whether the signer signed this core, or a recover over it that rests on rows of all its serial
   * numbers: the table holds every one of them for it. Such rows let the core pass the windows as
   * well (V-23).
   */
  public boolean holds(TxCore core, List<SerialNumber> serials) {
    byte[][] wanted =
        new HashSet<>(serials).stream().map(SerialNumber::bytes).toArray(byte[][]::new);
    return wanted.length > 0
        && jdbc.sql(
                    "SELECT count(*) FROM signer.signed WHERE serial = ANY (:serials::bytea[]) AND core = :core")
                .param("serials", wanted)
                .param("core", core.bytes())
                .query(Integer.class)
                .single()
            == wanted.length;
  }
}
