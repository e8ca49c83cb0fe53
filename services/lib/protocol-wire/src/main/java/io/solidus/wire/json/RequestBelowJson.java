package io.solidus.wire.json;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link RequestBelow}: an object with the one member "transfer" or "recover". */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
@JsonSubTypes({
  @JsonSubTypes.Type(value = RequestBelowJson.Transfer.class, name = "transfer"),
  @JsonSubTypes.Type(value = RequestBelowJson.Recover.class, name = "recover")
})
public sealed interface RequestBelowJson {

  /** A transfer. */
  record Transfer(
      @Member @Nullable TransferStatementJson statement, @Member @Nullable EvidenceJson evidence)
      implements RequestBelowJson {

    @Override
    public RequestBelow toDomain() {
      return new TransferBelow(
          Fields.required(statement, "statement").toDomain(),
          Fields.required(evidence, "evidence").toDomain());
    }
  }

  /** A recover. */
  record Recover(
      @Member @Nullable RecoverStatementJson statement,
      @Member @Nullable RecoverEvidenceJson evidence)
      implements RequestBelowJson {

    @Override
    public RequestBelow toDomain() {
      return new RecoverBelow(
          Fields.required(statement, "statement").toDomain(),
          Fields.required(evidence, "evidence").toDomain());
    }
  }

  static RequestBelowJson of(RequestBelow value) {
    return switch (value) {
      case TransferBelow transfer ->
          new Transfer(
              TransferStatementJson.of(transfer.statement()), EvidenceJson.of(transfer.evidence()));
      case RecoverBelow recover ->
          new Recover(
              RecoverStatementJson.of(recover.statement()),
              RecoverEvidenceJson.of(recover.evidence()));
    };
  }

  RequestBelow toDomain();
}
