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
   * A sealed message.
   *
   * @param blob base64url of exactly 1200 bytes
   */
  record Message(@Nullable String blob) {}

  record Posted(long sequence) {}

  /**
   * A range of messages.
   *
   * @param next value of {@code after} for the following range
   * @param at SHA-256 of the message with the number {@code after}, base64url; null when the
   *     mailbox has none. A reader compares it with the message that it read there: after a restore
   *     from a backup the numbers go on below those that readers know.
   */
  record Page(List<MailboxStore.Entry> entries, long next, @Nullable String at) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @Operation(
      summary = "Post a sealed message",
      description = "Exactly 1200 bytes. The message carries no address.")
  Posted post(@RequestBody Message message) {
    byte[] blob = Base64Url.decode(Fields.required(message.blob(), "blob"), "blob");
    if (blob.length != BLOB_BYTES) {
      throw ProtocolException.malformed("a message has exactly " + BLOB_BYTES + " bytes");
    }
    return new Posted(admission.run(Admission.RequestClass.POST, () -> store.post(blob)));
  }

  @GetMapping
  @Operation(
      summary = "Read messages in order",
      description =
          "All wallets read the same ranges and keep the messages that they can open, so the"
              + " gateway does not learn for whom a message is. A reader whose message at `after`"
              + " differs from `at` reads from the start.")
  Page read(
      @RequestParam(defaultValue = "0") long after, @RequestParam(defaultValue = "200") int limit) {
    if (after < 0 || limit < 1 || limit > MAX_LIMIT) {
      throw ProtocolException.malformed("after is not negative, limit is 1 to " + MAX_LIMIT);
    }
    MailboxStore.Range range =
        admission.run(Admission.RequestClass.READ, () -> store.read(after, limit));
    List<MailboxStore.Entry> entries = range.entries();
    return new Page(
        entries, entries.isEmpty() ? after : entries.getLast().sequence(), range.digestAt());
  }
}
