package io.solidus.wallet.gateway;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintApprovalJson;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The issuance desk's REST API: mints against a funding, payouts of withdrawals. */
public final class IssuanceClient {
  private final RestClient rest;

  public IssuanceClient(RestClient rest) {
    this.rest = rest;
  }

  public void requestMint(TxCore core, String fundingId, String accessToken, MintRequest request) {
    Map<String, Object> mint = new LinkedHashMap<>();
    mint.put("mintId", Base64Url.encode(request.statement().mintId().bytes()));
    mint.put("valueMinor", request.statement().value().minor());
    mint.put("cm", Base64Url.encode(request.statement().coin().cm().bytes()));
    mint.put("k", Base64Url.encode(request.statement().coin().k().bytes()));
    mint.put("circuitVersion", request.circuitVersion());
    mint.put("proof", Base64Url.encode(request.proof()));
    Map<String, Object> body =
        Map.of("fundingId", fundingId, "accessToken", accessToken, "mint", mint);
    rest.post("/v1/mints", Answer.tree(body), idempotent(core));
  }

  public MintState mint(MintId id) {
    JsonNode answer = rest.get("/v1/mints/" + RestClient.segment(Base64Url.encode(id.bytes())));
    return Answer.read(
        "a mint",
        answer,
        node ->
            new MintState(
                Answer.text(node, "status"),
                Answer.each(
                    node, "approvals", a -> Answer.value(a, MintApprovalJson.class).toDomain())));
  }

  /** X25519: payout instructions are sealed to it. */
  public EncryptionKey redemptionKey() {
    return Answer.read(
        "the redemption key",
        rest.get("/v1/redemption-key"),
        node -> new EncryptionKey(Base64Url.decode(Answer.text(node, "publicKey"), "publicKey")));
  }

  /** Asks for the payout of a finished withdrawal; the same again is one payout. */
  public void redeem(TxCore core, TransferRequest request, List<PartialSignature> partials) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("request", TransferRequestJson.of(request));
    body.put("partials", partials.stream().map(PartialSignatureJson::of).toList());
    rest.post("/v1/redemptions", Answer.tree(body), idempotent(core));
  }

  private static Map<String, String> idempotent(TxCore core) {
    return Map.of("Idempotency-Key", core.hex());
  }
}
