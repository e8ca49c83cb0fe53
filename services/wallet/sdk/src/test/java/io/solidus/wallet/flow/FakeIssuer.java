package io.solidus.wallet.flow;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The issuer in memory. Mints wait for {@link #approveAll}. A redemption is counted once per lead
 * serial number.
 */
final class FakeIssuer {
  private final Set<String> waiting = new HashSet<>();
  private final Set<String> approved = new HashSet<>();
  private final Map<String, Long> redeemed = new HashMap<>();
  private final List<byte[]> payoutBlocks = new ArrayList<>();

  /** When set, the issuer refuses requests for mints with this code. */
  volatile @Nullable RejectionCode refusal;

  /** What an issuer stores. */
  record Stored(
      Set<String> waiting,
      Set<String> approved,
      Map<String, Long> redeemed,
      List<byte[]> payoutBlocks) {}

  Stored stored() {
    return new Stored(
        Set.copyOf(waiting), Set.copyOf(approved), Map.copyOf(redeemed), List.copyOf(payoutBlocks));
  }

  void restore(Stored other) {
    waiting.clear();
    waiting.addAll(other.waiting());
    approved.clear();
    approved.addAll(other.approved());
    redeemed.clear();
    redeemed.putAll(other.redeemed());
    payoutBlocks.clear();
    payoutBlocks.addAll(other.payoutBlocks());
  }

  void request(String mintId) {
    RejectionCode refused = refusal;
    if (refused != null) {
      throw new ProtocolException(refused, "this funding is refused");
    }
    if (!approved.contains(mintId)) {
      waiting.add(mintId);
    }
  }

  void approveAll() {
    approved.addAll(waiting);
    waiting.clear();
  }

  Map<String, Object> status(String mintId) {
    if (refusal != null && !waiting.contains(mintId) && !approved.contains(mintId)) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no such mint");
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("status", approved.contains(mintId) ? "approved" : "awaiting-approval");
    json.put(
        "approvals",
        approved.contains(mintId) ? List.of(approval("anna"), approval("bruno")) : List.of());
    return json;
  }

  void redeem(String leadSerial, long minor, byte[] payoutBlock) {
    if (redeemed.putIfAbsent(leadSerial, minor) == null) {
      payoutBlocks.add(payoutBlock);
    }
  }

  long redeemedMinor() {
    return redeemed.values().stream().mapToLong(Long::longValue).sum();
  }

  List<byte[]> payoutBlocks() {
    return List.copyOf(payoutBlocks);
  }

  private static Map<String, Object> approval(String approver) {
    byte[] signature = new byte[MintApproval.SIGNATURE_BYTES];
    System.arraycopy(
        Digest32.sha256(approver.getBytes(StandardCharsets.UTF_8)).bytes(), 0, signature, 0, 32);
    return Map.of("approver", approver, "signature", Base64Url.encode(signature));
  }
}
