package io.solidus.operator.registration.wallet;

import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.OVERLOADED;

import io.solidus.operator.registration.RegistrationApplication;
import io.solidus.operator.registration.tokens.TokenService;
import io.solidus.platform.description.Refuses;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.token.TokenRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The wallets' API for blind tokens. */
@RestController
@RequestMapping("/v1")
@Tag(
    name = "Tokens",
    description = "A registered wallet gets so many blind tokens a day (RFC 9578).")
public class TokenController {
  private final TokenService tokens;

  TokenController(TokenService tokens) {
    this.tokens = tokens;
  }

  /**
   * A batch of requests.
   *
   * @param day in days since 1970 (UTC): today
   * @param requests RFC 9578's TokenRequest, base64url
   */
  public record TokenBatch(
      @Member(min = 0) @Nullable Long day,
      @Member(bytes = TokenRequest.BYTES, min = 1, max = TokenKeyList.MAX)
          @Nullable List<String> requests) {}

  /**
   * The answers.
   *
   * @param responses RFC 9578's TokenResponse, base64url, in the order of the requests
   */
  public record TokenAnswers(
      @Member(bytes = 256, min = 1, max = TokenKeyList.MAX) List<String> responses) {}

  @GetMapping(path = "/tokens/keys", produces = MediaType.TEXT_PLAIN_VALUE)
  @Refuses(NOT_FOUND)
  @Operation(
      operationId = "readTokenKeys",
      summary = "The keys of the days whose tokens count, and of the days to come",
      description = "A signed note. A wallet takes no second key for a day.")
  public ResponseEntity<String> keys() {
    return ResponseEntity.ok().cacheControl(CacheControl.noCache()).body(tokens.keys());
  }

  @PostMapping("/registrations/{caseId}/tokens")
  @SecurityRequirement(name = RegistrationApplication.CASE_TOKEN)
  @Refuses({NOT_FOUND, IDEMPOTENCY_MISMATCH, OVERLOADED})
  @Operation(
      operationId = "issueTokens",
      summary = "The day's blind tokens of a registered wallet",
      description =
          "Exactly as many requests as the note of keys says. The same batch gets the same answers;"
              + " another one on that day is refused. The service learns which case asked, and"
              + " nothing of what becomes of the tokens.")
  public ResponseEntity<TokenAnswers> issue(
      @PathVariable UUID caseId,
      @Parameter(hidden = true) @RequestHeader(name = "X-Case-Token", defaultValue = "")
          String token,
      @RequestBody TokenBatch batch) {
    List<TokenRequest> requests =
        Fields.required(batch.requests(), "requests").stream()
            .map(text -> TokenRequest.decode(Base64Url.decode(text, "requests")))
            .toList();
    List<byte[]> answers =
        tokens.issue(caseId, token, Fields.required(batch.day(), "day"), requests);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(new TokenAnswers(answers.stream().map(Base64Url::encode).toList()));
  }
}
