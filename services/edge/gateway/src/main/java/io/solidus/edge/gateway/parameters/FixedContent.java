package io.solidus.edge.gateway.parameters;

import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.InputStreamSource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Bytes that never change at their address, unless the answer says how long they are kept. A
 * download goes on where it broke off (RFC 9110, section 14): one range is answered with 206, and
 * one that the content has not with 416. Several ranges at once, other units and malformed ranges
 * get the whole content, as the RFC allows.
 *
 * @param tag entity tag, from the content alone, so that it marks no reader
 */
public record FixedContent(String tag, long length, InputStreamSource source) {
  private static final CacheControl FOR_EVER =
      CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();
  private static final String WEAK = "W/";
  private static final int NOT_SATISFIABLE = HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE.value();

  /** As long as any sane header; HttpRange bounds the number of ranges by itself. */
  private static final int MAX_RANGE_CHARS = 1024;

  public static FixedContent of(byte[] content, Digest32 digest) {
    return new FixedContent(tag(digest), content.length, () -> new ByteArrayInputStream(content));
  }

  static FixedContent of(Path file, Digest32 digest) throws IOException {
    return new FixedContent(tag(digest), Files.size(file), () -> Files.newInputStream(file));
  }

  /** The entity tag of content: the digest in base64url, in quotes. */
  static String tag(Digest32 digest) {
    return "\"" + Base64Url.encode(digest.bytes()) + "\"";
  }

  /** The answer to a request with these headers. */
  ResponseEntity<?> answer(HttpHeaders request) {
    return answer(request, FOR_EVER);
  }

  /** As {@link #answer(HttpHeaders)}, for content that changes. */
  public ResponseEntity<?> answer(HttpHeaders request, CacheControl kept) {
    if (isKnown(request)) {
      return headers(HttpStatus.NOT_MODIFIED, kept).build();
    }
    List<HttpRange> ranges = ranges(request);
    if (ranges.size() != 1) {
      return headers(HttpStatus.OK, kept)
          .contentType(MediaType.APPLICATION_OCTET_STREAM)
          .contentLength(length)
          .body(new InputStreamResource(source));
    }
    long start;
    long end;
    try {
      start = ranges.getFirst().getRangeStart(length);
      end = ranges.getFirst().getRangeEnd(length);
    } catch (IllegalArgumentException e) {
      return notSatisfiable();
    }
    if (start >= length || start > end) {
      return notSatisfiable();
    }
    return headers(HttpStatus.PARTIAL_CONTENT, kept)
        .header(HttpHeaders.CONTENT_RANGE, "bytes " + start + "-" + end + "/" + length)
        .contentType(MediaType.APPLICATION_OCTET_STREAM)
        .contentLength(end - start + 1)
        .body(new InputStreamResource(() -> part(start, end - start + 1)));
  }

  private ResponseEntity.BodyBuilder headers(HttpStatus status, CacheControl kept) {
    return ResponseEntity.status(status)
        .cacheControl(kept)
        .eTag(tag)
        .header(HttpHeaders.ACCEPT_RANGES, "bytes");
  }

  private ResponseEntity<?> notSatisfiable() {
    ResponseEntity<?> problem =
        ProblemResponses.answer(
            NOT_SATISFIABLE,
            RejectionCode.MALFORMED_REQUEST.code(),
            "the content has " + length + " bytes and not this range",
            false);
    return ResponseEntity.status(NOT_SATISFIABLE)
        .headers(problem.getHeaders())
        .header(HttpHeaders.CONTENT_RANGE, "bytes */" + length)
        .body(problem.getBody());
  }

  /** Without a valid range of bytes, or for another content than the reader has a part of, none. */
  private List<HttpRange> ranges(HttpHeaders request) {
    String asked = request.getFirst(HttpHeaders.RANGE);
    String ifRange = request.getFirst(HttpHeaders.IF_RANGE);
    if (asked == null
        || asked.length() > MAX_RANGE_CHARS
        || (ifRange != null && !ifRange.equals(tag))) {
      return List.of();
    }
    try {
      return HttpRange.parseRanges(asked);
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  private boolean isKnown(HttpHeaders request) {
    List<String> tags;
    try {
      tags = request.getIfNoneMatch();
    } catch (IllegalArgumentException e) {
      return false; // not a list of tags
    }
    return tags.stream()
        .map(known -> known.startsWith(WEAK) ? known.substring(WEAK.length()) : known)
        .anyMatch(known -> known.equals(tag) || known.equals("*"));
  }

  private InputStream part(long start, long bytes) throws IOException {
    InputStream content = source.getInputStream();
    content.skipNBytes(start);
    return new Part(content, bytes);
  }

  /** The next bytes of a stream. */
  private static final class Part extends InputStream {
    private final InputStream inner;
    private long left;

    Part(InputStream inner, long bytes) {
      this.inner = inner;
      this.left = bytes;
    }

    @Override
    public int read() throws IOException {
      if (left == 0) {
        return -1;
      }
      int value = inner.read();
      left -= value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left == 0) {
        return length == 0 ? 0 : -1;
      }
      int read = inner.read(buffer, offset, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }
}
