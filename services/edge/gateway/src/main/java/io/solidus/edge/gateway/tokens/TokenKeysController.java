package io.solidus.edge.gateway.tokens;

import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.UNAVAILABLE;

import io.solidus.platform.description.Refuses;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The keys of blind tokens, for wallets. */
@RestController
@RequestMapping("/v1")
@Tag(name = "parameters")
class TokenKeysController {
  private final CountersignedTokenKeys keys;

  TokenKeysController(CountersignedTokenKeys keys) {
    this.keys = keys;
  }

  @GetMapping(path = "/tokens/keys", produces = MediaType.TEXT_PLAIN_VALUE)
  @Refuses({NOT_FOUND, UNAVAILABLE})
  @Operation(
      operationId = "readTokenKeys",
      summary = "The keys of blind tokens, countersigned by a quorum of authorities",
      description = "A signed note. A wallet takes no key without these signatures.")
  ResponseEntity<String> keys() {
    return ResponseEntity.ok().cacheControl(CacheControl.noCache()).body(keys.note());
  }
}
