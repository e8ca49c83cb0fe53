package io.solidus.edge.gateway.proofs;

import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.OVERLOADED;

import com.google.protobuf.ByteString;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.tokens.TokenGate;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.v1.ProveReply;
import io.solidus.wire.v1.ProveRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/proofs")
@Tag(name = "delegated proofs")
class ProofController {
  /** Sealed proofs of about 2 kB each, so a few megabytes at most. */
  private static final int ANSWERS = 2_000;

  /** Proofs of shapes take up to three times as long, and no wallet delegates them. */
  private static final int LAST_FAMILY = 6;

  private final ProverClient prover;
  private final Admission admission;
  private final TokenGate tokens;
  private final FirstAnswers<ProveReply> firsts =
      new FirstAnswers<>(ANSWERS, ProverClient.KEY_KEPT, ProverClient.LIMIT);

  ProofController(ProverClient prover, Admission admission, TokenGate tokens) {
    this.prover = prover;
    this.admission = admission;
    this.tokens = tokens;
  }

  /**
   * A request for a proof.
   *
   * @param sealedWitness HPKE ciphertext; the gateway cannot decrypt it
   */
  record Body(
      @Member(min = 1, max = LAST_FAMILY) @Nullable Integer family,
      @Member(bytes = 32) @Nullable String encapsulatedKey,
      @Member(min = 1, max = 65536, pattern = "[A-Za-z0-9_-]*") @Nullable String sealedWitness) {}

  /**
   * The proof.
   *
   * @param sealedProof readable only by the wallet that sealed the witness
   */
  record Reply(@Member(pattern = "[A-Za-z0-9_-]*") String sealedProof) {}

  @PostMapping
  @Refuses({NOT_FOUND, OVERLOADED})
  @Operation(
      operationId = "delegateProof",
      summary = "Delegate a proof",
      description =
          "The witness is sealed to the prover's key (HPKE, RFC 9180) and never contains the spend"
              + " key. The same request with the same Idempotency-Key gets the first answer again,"
              + " for ten minutes at this gateway; another request with it is refused.")
  Reply prove(
      @Member(pattern = IdempotencyKey.FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key,
      @Parameter(hidden = true) // a client that is generated would ask for it
          @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      @RequestBody Body body) {
    Optional<IdempotencyKey> named = IdempotencyKey.of(key);
    ProveRequest request =
        ProveRequest.newBuilder()
            .setFamily(family(body))
            .setEncapsulatedKey(bytes(body.encapsulatedKey(), "encapsulatedKey"))
            .setSealedWitness(bytes(body.sealedWitness(), "sealedWitness"))
            .build();
    ProveReply reply =
        admission.run(
            tokens.classOf(authorization, Admission.RequestClass.PROOF),
            () ->
                named.isEmpty()
                    ? prover.prove(request)
                    : firsts.answer(
                        named.get(),
                        Digest32.sha256(request.toByteArray()),
                        () -> prover.prove(request)));
    return new Reply(Base64Url.encode(reply.getSealedProof().toByteArray()));
  }

  private static int family(Body body) {
    int family = Fields.required(body.family(), "family");
    if (family > LAST_FAMILY) {
      throw ProtocolException.malformed("proofs of this family are not delegated");
    }
    return family;
  }

  private static ByteString bytes(@Nullable String text, String field) {
    return ByteString.copyFrom(Base64Url.decode(Fields.required(text, field), field));
  }
}
