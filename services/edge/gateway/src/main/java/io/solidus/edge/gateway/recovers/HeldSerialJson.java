package io.solidus.edge.gateway.recovers;

import io.solidus.edge.gateway.committee.HeldSerial;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HeldSerial} in JSON.
 *
 * @param authorities indexes of those that say so
 * @param serial base64url
 * @param core hexadecimal
 * @param transfer the request of the core, when it is a transfer that was returned
 * @param recover likewise for a recover
 */
record HeldSerialJson(
    List<Integer> authorities,
    @Member(bytes = 32) String serial,
    @Member(hexBytes = 32) String core,
    @Nullable TransferRequestJson transfer,
    @Nullable RecoverRequestJson recover) {

  /** The most entries of an answer, so that it stays below what a wallet reads. */
  static final int MAX_ENTRIES = 8;

  /** The different ones, those of the lowest authorities first. */
  static List<HeldSerialJson> of(SortedMap<Integer, HeldSerial> held) {
    Map<HeldSerial, List<Integer>> different = new LinkedHashMap<>();
    held.forEach((authority, serial) ->
        different.computeIfAbsent(serial, any -> new ArrayList<>()).add(authority));
    return different.entrySet().stream()
        .limit(MAX_ENTRIES)
        .map(entry -> of(entry.getValue(), entry.getKey()))
        .toList();
  }

  private static HeldSerialJson of(List<Integer> authorities, HeldSerial held) {
    return new HeldSerialJson(
        List.copyOf(authorities),
        Base64Url.encode(held.serial().bytes()),
        held.core().hex(),
        held.transfer() == null ? null : TransferRequestJson.of(held.transfer()),
        held.recover() == null ? null : RecoverRequestJson.of(held.recover()));
  }
}
