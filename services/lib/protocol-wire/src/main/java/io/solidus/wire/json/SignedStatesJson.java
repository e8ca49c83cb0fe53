package io.solidus.wire.json;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON of {@link SignedStates}. */
public record SignedStatesJson(
    @Member(min = 1, max = 100) @Nullable Integer authority,
    @Member(min = 0) @Nullable Long mapVersion,
    @Member @Nullable FloorsJson floors,
    @Member(min = 1, max = 64) @Nullable List<StateJson> states,
    @Member(bytes = 64) @Nullable String signature) {

  /** JSON of {@link StateFloors}. */
  public record FloorsJson(
      @Member(min = 0) @Nullable Long policyVersion,
      @Member(min = 0) @Nullable Long checkpointVersion,
      @Member(min = 0) @Nullable Integer period) {

    static FloorsJson of(StateFloors value) {
      return new FloorsJson(
          value.policyVersion(), value.checkpointVersion(), value.period().yyyymm());
    }

    StateFloors toDomain() {
      return new StateFloors(
          Fields.required(policyVersion, "policyVersion"),
          Fields.required(checkpointVersion, "checkpointVersion"),
          new Period(Fields.required(period, "period")));
    }
  }

  /**
   * JSON of {@link SerialStates.State}.
   *
   * @param core hexadecimal; null while the serial number is free
   * @param request the digest of the stored request, 32 bytes; null where there is none
   */
  public record StateJson(
      @Member(bytes = 32) @Nullable String serial,
      @Member(hexBytes = 32, optional = true) @Nullable String core,
      @Member(bytes = 32, optional = true) @Nullable String request) {

    static StateJson of(SerialStates.State value) {
      return new StateJson(
          Base64Url.encode(value.serial().bytes()),
          value.core().map(TxCore::hex).orElse(null),
          value.request().map(digest -> Base64Url.encode(digest.bytes())).orElse(null));
    }

    SerialStates.State toDomain() {
      return new SerialStates.State(
          SerialNumber.of(Base64Url.decode(serial, "serial")),
          Optional.ofNullable(core).map(TxCore::fromHex),
          Optional.ofNullable(request).map(text -> Digest32.of(Base64Url.decode(text, "request"))));
    }
  }

  public static SignedStatesJson of(SignedStates value) {
    SerialStates states = value.states();
    return new SignedStatesJson(
        value.authority(),
        states.mapVersion(),
        FloorsJson.of(states.floors()),
        states.states().stream().map(StateJson::of).toList(),
        Base64Url.encode(value.signature().bytes()));
  }

  public SignedStates toDomain() {
    return new SignedStates(
        Fields.required(authority, "authority"),
        new SerialStates(
            Fields.required(mapVersion, "mapVersion"),
            Fields.required(floors, "floors").toDomain(),
            Fields.all(states, "states", StateJson::toDomain)),
        new SignedStates.StateSignature(Base64Url.decode(signature, "signature")));
  }
}
