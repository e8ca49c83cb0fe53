package io.solidus.wire.json;

import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/** JSON of a {@link TransferRequest}. The certificate is usually empty and may be left out. */
@Spec("F-18")
public record TransferRequestJson(
    @Member @Nullable TransferStatementJson statement,
    @Member @Nullable EvidenceJson evidence,
    @Member @Nullable AttachmentsJson attachments,
    @Member(max = 100, optional = true, nullable = false)
        @JsonDeserialize(using = CertificateReader.class)
        @Nullable List<PartialSignatureJson> certificate) {

  public static TransferRequestJson of(TransferRequest value) {
    return new TransferRequestJson(
        TransferStatementJson.of(value.statement()),
        EvidenceJson.of(value.evidence()),
        AttachmentsJson.of(value.attachments()),
        value.certificate().stream().map(PartialSignatureJson::of).toList());
  }

  public TransferRequest toDomain() {
    return new TransferRequest(
        Fields.required(statement, "statement").toDomain(),
        Fields.required(evidence, "evidence").toDomain(),
        Fields.required(attachments, "attachments").toDomain(),
        certificate == null
            ? List.of()
            : Fields.all(certificate, "certificate", PartialSignatureJson::toDomain));
  }
}
