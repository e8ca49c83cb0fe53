package io.solidus.edge.gateway.mailbox;

import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.OVERLOADED;
import static io.solidus.protocol.RejectionCode.UNAVAILABLE;

import io.solidus.edge.gateway.parameters.AnswersRanges;
import io.solidus.edge.gateway.parameters.FixedContent;
import io.solidus.platform.description.Refuses;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Final tables of the mailbox. What it answers depends on no reader and never changes. */
@RestController
@RequestMapping("/v1/mailbox/tables")
@Tag(name = "mailbox")
class MailTableController {
  /** Until the messages expire: an answer that is kept for an hour is not wrong afterwards. */
  private static final CacheControl FINAL = CacheControl.maxAge(Duration.ofHours(1)).cachePublic();

  private final MailTables tables;
  private final MailReplicas replicas;
  private final ReplicaReads reads;

  MailTableController(MailTables tables, MailReplicas replicas, ReplicaReads reads) {
    this.tables = tables;
    this.replicas = replicas;
    this.reads = reads;
  }

  @GetMapping(produces = MediaType.TEXT_PLAIN_VALUE)
  @Refuses({NOT_FOUND, OVERLOADED})
  @Operation(
      operationId = "readMailTables",
      summary = "The newest list of mail tables",
      description =
          "The text of a note, F-52 of the specification, without signatures. Authorities read"
              + " it, compare it with the tables and countersign it. Not every gateway has tables.")
  ResponseEntity<String> newest(HttpServletRequest request) {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .body(reads.run(request, tables::newest));
  }

  @GetMapping(path = "/note", produces = MediaType.TEXT_PLAIN_VALUE)
  @Refuses({NOT_FOUND, OVERLOADED})
  @Operation(
      operationId = "readMailTablesNote",
      summary = "The newest countersigned list of mail tables",
      description =
          "A note with the signatures of at least 2f+1 authorities' replicas, as F-52 of the"
              + " specification has it. Wallets verify them with the keys of the network's services."
              + " Not every network has replicas.")
  ResponseEntity<String> note(HttpServletRequest request) {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .body(reads.run(request, replicas::countersigned));
  }

  @GetMapping(path = "/{bucket}/headers", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  @Refuses({NOT_FOUND, OVERLOADED, UNAVAILABLE})
  @Operation(
      operationId = "readMailHeaders",
      summary = "Read the headers of a bucket's tables",
      description =
          "What was posted to the bucket itself, in tables that closed after one time and up to"
              + " another, which is that of a list: a page of octets, as F-53 of the specification"
              + " has it. The page says how far it reaches. A reader computes the bucket's state"
              + " from it and compares it with the list's.")
  @AnswersRanges
  ResponseEntity<?> headers(
      @Member(min = 1, max = MailboxBucket.MAX) @PathVariable int bucket,
      @Member(min = 0) @RequestParam(defaultValue = "0") long after,
      @Member(min = 1) @RequestParam long upto,
      @RequestHeader @Parameter(hidden = true) HttpHeaders headers,
      HttpServletRequest request) {
    MailboxBucket read = new MailboxBucket(bucket);
    requireTimes(after, upto);
    return answer(reads.run(request, () -> tables.headers(read, after, upto)).toBytes(), headers);
  }

  @GetMapping(path = "/{bucket}/records", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  @Refuses({NOT_FOUND, OVERLOADED})
  @Operation(
      operationId = "readMailRecords",
      summary = "Read the messages of a bucket's tables",
      description =
          "Whole messages with numbers above one, of tables that closed up to a time, which is that"
              + " of a list: a page of octets, as F-54 of the specification has it. Authorities"
              + " read all buckets. A wallet that read a few messages would tell which are its own.")
  @AnswersRanges
  ResponseEntity<?> records(
      @Member(min = 1, max = MailboxBucket.MAX) @PathVariable int bucket,
      @Member(min = 0) @RequestParam(defaultValue = "0") long after,
      @Member(min = 1) @RequestParam long upto,
      @Member(min = 1, max = MailboxLimits.MAX_PAGE)
          @RequestParam(defaultValue = "" + MailboxLimits.PAGE)
          int limit,
      @RequestHeader @Parameter(hidden = true) HttpHeaders headers,
      HttpServletRequest request) {
    MailboxBucket read = new MailboxBucket(bucket);
    requireTimes(after, upto);
    if (limit < 1 || limit > MailboxLimits.MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MailboxLimits.MAX_PAGE);
    }
    return answer(
        new RecordPage(reads.run(request, () -> tables.records(read, after, upto, limit)))
            .toBytes(),
        headers);
  }

  private static ResponseEntity<?> answer(byte[] content, HttpHeaders headers) {
    return FixedContent.of(content, Digest32.sha256(content)).answer(headers, FINAL);
  }

  private static void requireTimes(long after, long upto) {
    if (after < 0 || upto < 1) {
      throw ProtocolException.malformed("after is not negative, upto is positive");
    }
  }
}
