package io.solidus.edge.gateway.mailbox;

import io.solidus.edge.gateway.load.Admission;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/mailbox")
@Tag(name = "mailbox")
class MailboxController {
  private static final int BLOB_BYTES = 1200;
  private static final int MAX_LIMIT = 500;

  private final MailboxStore store;
  private final Admission admission;

  MailboxController(MailboxStore store, Admission admission) {
    this.store = store;
    this.admission = admission;
  }

  /**
   * @param blob base64url of exactly 1200 sealed bytes
   */
  record Message(@Nullable String blob) {}

  /** Where a message lies. */
  record Posted(long sequence) {}

  /**
   * @param next ask for messages after this one next time
   */
  record Page(List<MailboxStore.Entry> entries, long next) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @Operation(
      summary = "Leave a sealed message",
      description = "Exactly 1200 bytes. Nothing says who it is for.")
  Posted post(@RequestBody Message message) {
    byte[] blob = Base64Url.decode(Fields.required(message.blob(), "blob"), "blob");
    if (blob.length != BLOB_BYTES) {
      throw ProtocolException.malformed("a message has exactly " + BLOB_BYTES + " bytes");
    }
    return new Posted(admission.admit(() -> store.post(blob)));
  }

  @GetMapping
  @Operation(
      summary = "Read messages in order",
      description =
          "Everybody reads the same ranges and keeps what opens; the gateway does not learn whose a message is.")
  Page read(
      @RequestParam(defaultValue = "0") long after, @RequestParam(defaultValue = "200") int limit) {
    if (after < 0 || limit < 1 || limit > MAX_LIMIT) {
      throw ProtocolException.malformed("after is not negative, limit is 1 to " + MAX_LIMIT);
    }
    List<MailboxStore.Entry> entries = admission.admit(() -> store.read(after, limit));
    return new Page(entries, entries.isEmpty() ? after : entries.getLast().sequence());
  }
}
