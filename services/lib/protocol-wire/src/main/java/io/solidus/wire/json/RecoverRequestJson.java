package io.solidus.wire.json;

import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON of a {@link RecoverRequest}. The requests below it come each after those that it is over.
 */
@Spec("F-33")
public record RecoverRequestJson(
    @Member @Nullable RecoverStatementJson statement,
    @Member @Nullable RecoverEvidenceJson evidence,
    @Member @Nullable AttachmentsJson attachments,
    @Member(min = 1, max = 16) @Nullable List<RequestBelowJson> below) {

  public static RecoverRequestJson of(RecoverRequest value) {
    return new RecoverRequestJson(
        RecoverStatementJson.of(value.statement()),
        RecoverEvidenceJson.of(value.evidence()),
        AttachmentsJson.of(value.attachments()),
        value.below().stream().map(RequestBelowJson::of).toList());
  }

  public RecoverRequest toDomain() {
    return new RecoverRequest(
        Fields.all(below, "below", RequestBelowJson::toDomain),
        Fields.required(statement, "statement").toDomain(),
        Fields.required(evidence, "evidence").toDomain(),
        Fields.required(attachments, "attachments").toDomain());
  }
}
