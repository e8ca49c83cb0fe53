package io.solidus.operator.sanctions.list;

import java.util.Arrays;
import java.util.Optional;

/** The lists that can be imported, with their ids in the API and the database. */
public enum ListId {
  /** United Nations Security Council consolidated list, XML. */
  UN("un"),
  /** OFAC Specially Designated Nationals, SDN.CSV. */
  OFAC("ofac"),
  /**
   * OFAC alternate names, ALT.CSV: more names of the entries of {@link #OFAC}, joined by entity
   * number.
   */
  OFAC_ALT("ofac-alt");

  private final String id;

  ListId(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  public static Optional<ListId> of(String id) {
    return Arrays.stream(values()).filter(list -> list.id.equals(id)).findFirst();
  }
}
