package io.solidus.wallet.session;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.gateway.CoinStateReply;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exports evidence of a transfer: the stored request, 2f+1 partial signatures, and the opening of
 * its history commitment. The recipient can verify the signatures with the committee's keys and
 * recompute {@code com} from the previous one. The evidence reveals this one transfer.
 */
@Spec("F-23")
public final class EvidenceExporter {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final WalletSession session;

  public EvidenceExporter(WalletSession session) {
    this.session = session;
  }

  /**
   * The evidence as JSON.
   *
   * @throws ProtocolException not-found for a transfer that this wallet did not make; no-quorum
   *     when too few authorities confirm it now
   */
  public String export(TxCore core) {
    List<TransferRecord> transfers = session.store().state().transfers();
    int index = indexOf(transfers, core);
    TransferRecord record = transfers.get(index);
    FieldElement before = index == 0 ? FieldElement.ZERO : transfers.get(index - 1).com();
    TransferRequest request = stored(record);
    SignedReply reply = session.gateway().transfer(core, record.lead());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("format", "solidus/transfer-evidence/v2");
    json.put("networkId", session.network().value());
    json.put("core", core.hex());
    json.put("request", TransferRequestJson.of(request));
    json.put("partials", quorum(request, reply).stream().map(PartialSignatureJson::of).toList());
    json.put("opening", opening(record, before));
    return JSON.writeValueAsString(json);
  }

  private static int indexOf(List<TransferRecord> transfers, TxCore core) {
    for (int i = 0; i < transfers.size(); i++) {
      if (transfers.get(i).core().equals(core)) {
        return i;
      }
    }
    throw new ProtocolException(RejectionCode.NOT_FOUND, "this wallet made no such transfer");
  }

  /**
   * The request that most authorities return. A lying authority can alter the evidence of its copy,
   * but not the signed statement.
   */
  private TransferRequest stored(TransferRecord record) {
    return session.gateway().coinStates(List.of(record.lead())).getFirst().shown().stream()
        .sorted(
            Comparator.comparingInt((CoinStateReply.Shown shown) -> -shown.authorities().size()))
        .flatMap(shown -> shown.request().stream())
        .filter(request -> request.statement().core(session.network()).equals(record.core()))
        .findFirst()
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NO_QUORUM,
                "none of the reachable authorities returns this transfer"));
  }

  private List<PartialSignature> quorum(TransferRequest request, SignedReply reply) {
    List<PartialSignature> checked =
        session
            .collector()
            .checked(Outputs.of(session.network(), request.statement()), reply.partials());
    int quorum = session.platform().committee().quorum();
    if (checked.size() < quorum) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM, "too few authorities confirm the transfer right now");
    }
    return checked.subList(0, quorum);
  }

  private static Map<String, Object> opening(TransferRecord record, FieldElement before) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("comBefore", Base64Url.encode(before.bytes()));
    json.put("comAfter", Base64Url.encode(record.com().bytes()));
    json.put("paidMinor", record.memo().paid().minor());
    json.put("in1Minor", input(record, 0));
    json.put("in2Minor", input(record, 1));
    json.put("origin1", origin(record, 0));
    json.put("origin2", origin(record, 1));
    json.put("escrow", false);
    json.put("withdrawnMinor", record.memo().withdrawn().minor());
    json.put("period", record.period().yyyymm());
    json.put("recipientApk", Base64Url.encode(record.memo().recipient().apk().bytes()));
    json.put("randomness", Base64Url.encode(record.randomness().bytes()));
    json.put("atMillis", record.memo().atMillis());
    json.put("reference", record.memo().reference());
    return json;
  }

  private static long input(TransferRecord record, int index) {
    return index < record.memo().inputs().size()
        ? record.memo().inputs().get(index).value().minor()
        : 0;
  }

  private static int origin(TransferRecord record, int index) {
    return index < record.memo().inputs().size()
        ? record.memo().inputs().get(index).origin().code()
        : Origin.PAYMENT.code();
  }
}
