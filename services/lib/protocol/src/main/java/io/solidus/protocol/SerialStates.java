package io.solidus.protocol;

import java.util.List;
import java.util.Optional;

/**
 * What a shard of an authority says about serial numbers of its range.
 *
 * @param mapVersion of the shard map by which the shard owns them
 * @param floors what a core that is new to the shard may still name
 * @param states 1 to 64, no serial number twice
 */
public record SerialStates(long mapVersion, StateFloors floors, List<State> states) {
  /** The most serial numbers in one look-up. */
  public static final int MAX_STATES = 64;

  /**
   * The state of one serial number.
   *
   * @param core that holds it; empty while it is free
   * @param request SHA-256 of the stored request as protobuf in canonical form; empty while it is
   *     free, and where the shard shows no request
   */
  public record State(SerialNumber serial, Optional<TxCore> core, Optional<Digest32> request) {
    public State {
      if (core.isEmpty() && request.isPresent()) {
        throw ProtocolException.malformed("a free serial number has no request");
      }
    }

    public static State free(SerialNumber serial) {
      return new State(serial, Optional.empty(), Optional.empty());
    }

    public static State held(SerialNumber serial, TxCore core, Optional<Digest32> request) {
      return new State(serial, Optional.of(core), request);
    }
  }

  public SerialStates {
    states = List.copyOf(states);
    if (mapVersion < 0 || states.isEmpty() || states.size() > MAX_STATES) {
      throw ProtocolException.malformed("a shard answers for 1 to 64 serial numbers");
    }
    if (states.stream().map(State::serial).distinct().count() != states.size()) {
      throw ProtocolException.malformed("a shard answers for each serial number once");
    }
  }

  public List<SerialNumber> serials() {
    return states.stream().map(State::serial).toList();
  }
}
