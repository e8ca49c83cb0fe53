package io.solidus.edge.gateway.mailbox;

import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.OVERLOADED;

import com.google.protobuf.ByteString;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.tokens.TokenGate;
import io.solidus.platform.description.Refuses;
import io.solidus.protocol.Committee;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.v1.AnswerRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Private queries: passes each sealed share to its authority. */
@RestController
@RequestMapping("/v1/mailbox/queries")
@Tag(name = "mailbox")
class MailQueryController {
  private final MailReplicas replicas;
  private final Admission admission;
  private final TokenGate tokens;

  MailQueryController(MailReplicas replicas, Admission admission, TokenGate tokens) {
    this.replicas = replicas;
    this.admission = admission;
    this.tokens = tokens;
  }

  /**
   * A share of a query.
   *
   * @param sealedShare HPKE ciphertext; the gateway cannot decrypt it
   */
  record Share(
      @Member(min = 1, max = Committee.MAX_MEMBERS) @Nullable Integer authority,
      @Member(bytes = 32) @Nullable String encapsulatedKey,
      @Member(min = 1, max = 44_000, pattern = "[A-Za-z0-9_-]*") @Nullable String sealedShare) {}

  /**
   * A query.
   *
   * @param shares for different authorities
   */
  record Query(@Member(min = 1, max = Committee.MAX_MEMBERS) @Nullable List<Share> shares) {}

  /**
   * An authority's answer.
   *
   * @param sealedAnswer readable only by the wallet that sealed the share; null without an answer
   * @param code why there is none; null with an answer
   */
  record Answer(
      @Member(min = 1, max = Committee.MAX_MEMBERS) int authority,
      @Member(pattern = "[A-Za-z0-9_-]*", optional = true) @Nullable String sealedAnswer,
      @Member(optional = true) @Nullable String code) {}

  /** The answers, in the order of the shares. */
  record Answers(@Member(max = Committee.MAX_MEMBERS) List<Answer> answers) {}

  @PostMapping
  @Refuses({NOT_FOUND, OVERLOADED})
  @Operation(
      operationId = "queryMail",
      summary = "Ask authorities for a message, none of which learns which",
      description =
          "Each share is sealed to the replica of an authority, and its answer to the wallet, as"
              + " F-55 of the specification has it. A share without an answer has a code in its"
              + " place. Not every network has replicas.")
  Answers query(
      @Parameter(hidden = true) // a client that is generated would ask for it
          @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      @RequestBody Query query) {
    Map<Integer, AnswerRequest> shares = shares(query);
    if (!replicas.isOn()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this network has no replicas");
    }
    return admission.run(
        tokens.classOf(authorization, Admission.RequestClass.QUERY), () -> answers(shares));
  }

  private static Map<Integer, AnswerRequest> shares(Query query) {
    Map<Integer, AnswerRequest> shares = new LinkedHashMap<>();
    for (Share each : Fields.required(query.shares(), "shares")) {
      Share share = Fields.required(each, "shares");
      AnswerRequest request =
          AnswerRequest.newBuilder()
              .setEncapsulatedKey(bytes(share.encapsulatedKey(), "encapsulatedKey"))
              .setSealedShare(bytes(share.sealedShare(), "sealedShare"))
              .build();
      if (shares.put(Fields.required(share.authority(), "authority"), request) != null) {
        throw ProtocolException.malformed("the shares are for different authorities");
      }
    }
    if (shares.isEmpty() || shares.size() > Committee.MAX_MEMBERS) {
      throw ProtocolException.malformed("a query has one share for each authority at most");
    }
    return shares;
  }

  /** All at the same time: the calls have a deadline. */
  private Answers answers(Map<Integer, AnswerRequest> shares) {
    List<Answer> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<Integer, CompletableFuture<byte[]>> calls = new LinkedHashMap<>();
      shares.forEach((authority, share) ->
          calls.put(
              authority,
              CompletableFuture.supplyAsync(() -> replicas.answer(authority, share), threads)));
      calls.forEach((authority, call) -> answers.add(answer(authority, call)));
    }
    return new Answers(answers);
  }

  private static Answer answer(int authority, CompletableFuture<byte[]> call) {
    try {
      return new Answer(authority, Base64Url.encode(call.join()), null);
    } catch (CompletionException | CancellationException e) {
      RejectionCode code =
          e.getCause() instanceof ProtocolException refusal
              ? refusal.code()
              : RejectionCode.UNAVAILABLE;
      return new Answer(authority, null, code.code());
    }
  }

  private static ByteString bytes(@Nullable String text, String field) {
    return ByteString.copyFrom(Base64Url.decode(Fields.required(text, field), field));
  }
}
