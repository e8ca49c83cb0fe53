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

/** Client of the issuance service: mints against a funding, payouts of withdrawals. */
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
    rest.post("/v1/mints", ReplyJson.tree(body), RestClient.idempotencyKey(core));
  }

  public MintStatus mint(MintId id) {
    JsonNode answer = rest.get("/v1/mints/" + RestClient.segment(Base64Url.encode(id.bytes())));
    return ReplyJson.read(
        "a mint",
        answer,
        node ->
            new MintStatus(
                ReplyJson.text(node, "status"),
                ReplyJson.each(
                    node,
                    "approvals",
                    a -> ReplyJson.value(a, MintApprovalJson.class).toDomain())));
  }

  /** The X25519 key that payout instructions are sealed to. */
  public EncryptionKey redemptionKey() {
    return ReplyJson.read(
        "the redemption key",
        rest.get("/v1/redemption-key"),
        node ->
            new EncryptionKey(Base64Url.decode(ReplyJson.text(node, "publicKey"), "publicKey")));
  }

  /** Requests the payout of a finished withdrawal; repeated requests lead to one payout. */
  public void redeem(TxCore core, TransferRequest request, List<PartialSignature> partials) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("request", TransferRequestJson.of(request));
    body.put("partials", partials.stream().map(PartialSignatureJson::of).toList());
    rest.post("/v1/redemptions", ReplyJson.tree(body), RestClient.idempotencyKey(core));
  }
}
