package io.solidus.edge.gateway.mailbox;

import static io.solidus.protocol.RejectionCode.OVERLOADED;

import io.solidus.edge.gateway.events.EventStreams;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.platform.description.Refuses;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Messages that were posted with the one-time tag of a payment request. */
@RestController
@RequestMapping("/v1/mailbox/tags")
@Tag(name = "mailbox")
class MailTagController {
  /** Schemas of the data of events, by their names. */
  private static final String EVENTS = "{\"tagged\":{\"type\":\"object\",\"maxProperties\":0}}";

  private final TaggedMail mail;
  private final TagSignal signal;
  private final Admission admission;
  private final EventStreams streams;

  MailTagController(TaggedMail mail, TagSignal signal, Admission admission, EventStreams streams) {
    this.mail = mail;
    this.signal = signal;
    this.admission = admission;
    this.streams = streams;
  }

  @GetMapping("/{tag}")
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "readTagged",
      summary = "Read the messages with a tag",
      description =
          "What was posted with the one-time tag of a payment request within a day, oldest first:"
              + " nothing for a tag that nobody has used. Whoever saw the request can post with its"
              + " tag. Where `full` is true, messages with the tag may be in their bucket only, and"
              + " a reader reads that. A reader believes nothing of this: the signature of a coin"
              + " says whether it was paid.")
  ResponseEntity<TaggedMail.Found> read(
      @Member(hexBytes = MailTag.BYTES) @PathVariable String tag) {
    MailTag wanted = new MailTag(tag);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(admission.run(Admission.RequestClass.READ, () -> mail.find(wanted)));
  }

  @GetMapping(path = "/{tag}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "streamTagged",
      summary = "Be told of messages with a tag",
      description =
          "Server-sent events with the name `tagged`, the data `{}`, and the number of the newest"
              + " message with the tag as id, within half a second of its post. The reader then"
              + " reads the messages of the tag. The stream ends after some minutes.")
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
      @Member(hexBytes = MailTag.BYTES) @PathVariable String tag,
      @Member(min = 0) @RequestParam(defaultValue = "0") long after,
      HttpServletRequest request,
      HttpServletResponse response) {
    MailTag wanted = new MailTag(tag);
    streams.run(request, response, signal.source(wanted, MailboxController.place(after)));
  }
}
