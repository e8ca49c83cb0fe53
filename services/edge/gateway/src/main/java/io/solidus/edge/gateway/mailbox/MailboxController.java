package io.solidus.edge.gateway.mailbox;

import static io.solidus.protocol.RejectionCode.OVERLOADED;

import io.solidus.edge.gateway.events.EventStreams;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.parameters.AnswersRanges;
import io.solidus.edge.gateway.parameters.FixedContent;
import io.solidus.edge.gateway.tokens.TokenGate;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/mailbox")
@Tag(name = "mailbox")
class MailboxController {
  /** Schemas of the data of events, by their names. */
  private static final String EVENTS = "{\"mail\":{\"type\":\"object\",\"maxProperties\":0}}";

  /** Changes only when messages expire, or the mailbox comes back from a backup. */
  private static final CacheControl FULL_PAGE =
      CacheControl.maxAge(Duration.ofMinutes(5)).cachePublic();

  private final MailboxStore store;
  private final Admission admission;
  private final MailSignal signal;
  private final EventStreams streams;
  private final TokenGate tokens;

  MailboxController(
      MailboxStore store,
      Admission admission,
      MailSignal signal,
      EventStreams streams,
      TokenGate tokens) {
    this.store = store;
    this.admission = admission;
    this.tokens = tokens;
    this.signal = signal;
    this.streams = streams;
  }

  /**
   * A sealed message.
   *
   * @param blob base64url of exactly 1200 bytes
   * @param bucket in which the reader looks for it; without it every reader gets the message
   * @param tag of the payment request that it pays, base64url of 16 bytes; its payee may wait for
   *     it
   */
  record Message(
      @Member(bytes = MailboxLimits.MESSAGE_BYTES) @Nullable String blob,
      @Member(min = 1, max = MailboxBucket.MAX, optional = true) @Nullable Integer bucket,
      @Member(bytes = MailTag.BYTES, optional = true) @Nullable String tag) {}

  record Posted(@Member(min = 1) long sequence) {}

  /**
   * A range of messages.
   *
   * @param next value of {@code after} for the following range
   * @param at SHA-256 of the message with the number {@code after}, base64url; null when the
   *     mailbox has none. A reader compares it with the message that it read there: after a restore
   *     from a backup the numbers go on below those that readers know.
   */
  record Page(
      @Member(max = MailboxLimits.MAX_PAGE) List<MailboxStore.Entry> entries,
      @Member(min = 0) long next,
      @Member(bytes = 32, optional = true) @Nullable String at) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "postMessage",
      summary = "Post a sealed message",
      description =
          "Exactly 1200 bytes. The message carries no address. A bucket tells as many bits of the"
              + " payee's address as the network's signed services say, and no more. The same message with the same"
              + " Idempotency-Key is stored once, that day and the next; another message with it"
              + " is refused. Nobody is named here, so a key must be one that no stranger guesses."
              + " With a tag the message is found by it for a day as well (`readTagged`): the"
              + " gateway then learns which message pays a request for which somebody waits.")
  Posted post(
      @Member(pattern = IdempotencyKey.FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key,
      @Parameter(hidden = true) // a client that is generated would ask for it
          @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      @RequestBody Message message) {
    Optional<IdempotencyKey> named = IdempotencyKey.of(key);
    byte[] blob = Base64Url.decode(Fields.required(message.blob(), "blob"), "blob");
    if (blob.length != MailboxLimits.MESSAGE_BYTES) {
      throw ProtocolException.malformed(
          "a message has exactly " + MailboxLimits.MESSAGE_BYTES + " bytes");
    }
    MailboxBucket bucket =
        message.bucket() == null ? MailboxBucket.WHOLE : new MailboxBucket(message.bucket());
    MailTag tag = message.tag() == null ? null : MailTag.ofBase64Url(message.tag());
    return new Posted(
        admission.run(
            tokens.classOf(authorization, Admission.RequestClass.POST),
            () -> store.post(blob, bucket, tag, named)));
  }

  @GetMapping
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "readMessages",
      summary = "Read messages in order",
      description =
          "All wallets read the same ranges and keep the messages that they can open, so the"
              + " gateway does not learn for whom a message is. A reader whose message at `after`"
              + " differs from `at` reads from the start.")
  Page read(
      @Member(min = 0) @RequestParam(defaultValue = "0") long after,
      @Member(min = 1, max = MailboxLimits.MAX_PAGE)
          @RequestParam(defaultValue = "" + MailboxLimits.PAGE)
          int limit) {
    requireRange(after, limit);
    MailboxStore.Range range =
        admission.run(Admission.RequestClass.READ, () -> store.read(after, limit));
    List<MailboxStore.Entry> entries = range.entries();
    return new Page(
        entries, entries.isEmpty() ? after : entries.getLast().sequence(), range.digestAt());
  }

  @GetMapping(path = "/buckets/{bucket}", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "readBucket",
      summary = "Read the messages of a bucket in order",
      description =
          "All that was posted to the bucket, to one above or below it, or to none: a page of"
              + " octets, as F-49 of the specification has it. A wallet reads its own bucket whole."
              + " The page says how far it reaches in the whole mailbox, which may be further than"
              + " its last message. A full page may be cached for some minutes.")
  @AnswersRanges
  ResponseEntity<?> readBucket(
      @Member(min = 1, max = MailboxBucket.MAX) @PathVariable int bucket,
      @Member(min = 0) @RequestParam(defaultValue = "0") long after,
      @Member(min = 1, max = MailboxLimits.MAX_PAGE)
          @RequestParam(defaultValue = "" + MailboxLimits.PAGE)
          int limit,
      @RequestHeader @Parameter(hidden = true) HttpHeaders headers) {
    MailboxBucket read = new MailboxBucket(bucket);
    requireRange(after, limit);
    BucketPage page =
        admission.run(Admission.RequestClass.READ, () -> store.read(read, after, limit));
    byte[] content = page.toBytes();
    return FixedContent.of(content, Digest32.sha256(content))
        .answer(headers, page.messages().size() == limit ? FULL_PAGE : CacheControl.noCache());
  }

  private static void requireRange(long after, int limit) {
    if (after < 0 || limit < 1 || limit > MailboxLimits.MAX_PAGE) {
      throw ProtocolException.malformed(
          "after is not negative, limit is 1 to " + MailboxLimits.MAX_PAGE);
    }
  }

  @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "streamMail",
      summary = "Be told that there is mail",
      description =
          "Server-sent events with the name `mail`, the data `{}`, and the number of the newest message"
              + " as id, once a second at most. The reader then reads on from where it is. An event"
              + " with a lower number says that the mailbox lost messages. The stream ends after"
              + " some minutes; a client opens it anew with Last-Event-ID, which goes before"
              + " `after`.")
  @ApiResponse(
      responseCode = "200",
      description = "events",
      content =
          @Content(
              mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
              schema = @Schema(type = "string")),
      extensions =
          @Extension(
              properties =
                  @ExtensionProperty(name = "x-events", value = EVENTS, parseValue = true)))
  void events(
      @Member(min = 0) @RequestParam(defaultValue = "0") long after,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last,
      HttpServletRequest request,
      HttpServletResponse response) {
    streams.run(request, response, signal.source(place(last == null ? after : number(last))));
  }

  /** A number in the mailbox, or 0 for its start. */
  static long place(long number) {
    if (number < 0) {
      throw ProtocolException.malformed("after is not negative");
    }
    return number;
  }

  private static long number(String last) {
    try {
      return Long.parseLong(last);
    } catch (NumberFormatException e) {
      throw ProtocolException.malformed("Last-Event-ID is the number of a message");
    }
  }
}
