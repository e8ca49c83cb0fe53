package io.solidus.edge.gateway.recovers;

import io.solidus.edge.gateway.committee.HeldSerial;
import io.solidus.protocol.ProtocolException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The refusal of a recover, with what authorities say holds its serial numbers. */
final class SerialsHeldException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  private final transient SortedMap<Integer, HeldSerial> held;

  /**
   * Makes the refusal.
   *
   * @param held by authority
   */
  SerialsHeldException(ProtocolException refusal, SortedMap<Integer, HeldSerial> held) {
    super(refusal.code(), refusal.detail(), refusal);
    this.held = new TreeMap<>(held);
  }

  /** What is held, each with the authorities that say so. */
  List<HeldSerialJson> held() {
    return HeldSerialJson.of(held);
  }
}
