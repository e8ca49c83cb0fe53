package io.solidus.authority.replica;

import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailReading;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Reads tables from a gateway over HTTP. Every answer has a limit in bytes and time.
 *
 * <p>Each request is signed, so that the gateway serves it from places of this authority's replica.
 * A list takes a hundred pages, after a day without a copy twenty thousand, and counts only with
 * all of them. So a page that a busy gateway refuses is asked for again, for minutes.
 */
final class GatewayPages implements TablePages, AutoCloseable {
  static final int RECORDS = 500;
  private static final int BLOB_BYTES = 1200;
  private static final byte VERSION = 1;
  private static final String TABLES = "/v1/mailbox/tables";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_BYTES = 4 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERRORS = 500;

  private final BoundedCalls calls;
  private final URI gateway;
  private final UnaryOperator<String> signing;
  private final Duration patience;

  /** There is no answer now; there may be one soon. */
  private static final class NotNowException extends Exception {
    private static final long serialVersionUID = 1L;
    private final ProtocolException refusal;

    NotNowException(String detail) {
      super(detail);
      this.refusal = unavailable(detail);
    }
  }

  /**
   * @param gateway base URL without a slash at its end
   * @param signing of a request's path and query; the value of {@link MailReading#HEADER}
   */
  GatewayPages(BoundedCalls calls, URI gateway, UnaryOperator<String> signing) {
    this(calls, gateway, signing, PATIENCE);
  }

  /**
   * @param patience for which a page is asked for again
   */
  GatewayPages(BoundedCalls calls, URI gateway, UnaryOperator<String> signing, Duration patience) {
    this.calls = calls;
    this.gateway = gateway;
    this.signing = signing;
    this.patience = patience;
  }

  @Override
  public Optional<String> newest() {
    try {
      return get("").map(body -> new String(body, StandardCharsets.UTF_8));
    } catch (NotNowException e) {
      throw e.refusal;
    }
  }

  @Override
  public Headers headers(MailboxBucket bucket, long after, long upto) {
    ByteBuffer in = page("/" + bucket.number() + "/headers?after=" + after + "&upto=" + upto);
    try {
      Digest32 before = digest(in);
      long previous = in.getLong();
      long reached = in.getLong();
      List<Table> tables = new ArrayList<>();
      while (in.hasRemaining()) {
        long closed = in.getLong();
        long first = in.getLong();
        int records = in.getInt();
        Digest32 root = digest(in);
        if (records < 1 || records > in.remaining() / MailTable.HEADER_BYTES) {
          throw ProtocolException.malformed("a table has another number of headers");
        }
        byte[] headers = new byte[records * MailTable.HEADER_BYTES];
        in.get(headers);
        tables.add(new Table(closed, first, records, root, headers));
      }
      return new Headers(new MailState(previous, before), reached, tables);
    } catch (BufferUnderflowException e) {
      throw ProtocolException.malformed("a page of headers is too short");
    }
  }

  @Override
  public List<Message> records(MailboxBucket bucket, long after, long upto) {
    ByteBuffer in =
        page(
            "/"
                + bucket.number()
                + "/records?after="
                + after
                + "&upto="
                + upto
                + "&limit="
                + RECORDS);
    List<Message> records = new ArrayList<>();
    while (in.remaining() >= Long.BYTES + BLOB_BYTES) {
      long number = in.getLong();
      byte[] blob = new byte[BLOB_BYTES];
      in.get(blob);
      records.add(new Message(number, blob));
    }
    return records;
  }

  private ByteBuffer page(String path) {
    ByteBuffer in = ByteBuffer.wrap(whenItComes(path));
    if (!in.hasRemaining() || in.get() != VERSION) {
      throw ProtocolException.malformed("a page of tables has another version");
    }
    return in;
  }

  private byte[] whenItComes(String path) {
    long end = System.nanoTime() + patience.toNanos();
    long pause = FIRST_PAUSE.toNanos();
    while (true) {
      try {
        return get(path).orElseThrow(() -> unavailable("the gateway does not have these tables"));
      } catch (NotNowException e) {
        if (System.nanoTime() + pause - end > 0) {
          throw e.refusal;
        }
        sleep(pause, e);
        pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
      }
    }
  }

  private static void sleep(long nanos, NotNowException reason) {
    try {
      Thread.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException e) {
      // this process is stopping
      Thread.currentThread().interrupt();
      throw reason.refusal;
    }
  }

  private Optional<byte[]> get(String path) throws NotNowException {
    String target = TABLES + path;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + target))
            .header(MailReading.HEADER, signing.apply(target));
    try {
      BoundedCalls.Answer answer = calls.send(request, TIMEOUT, MAX_BYTES);
      if (answer.isNotFound()) {
        return Optional.empty();
      }
      if (answer.status() == TOO_MANY || answer.status() >= SERVER_ERRORS) {
        throw new NotNowException("the gateway answers " + answer.status());
      }
      if (!answer.isOk()) {
        throw unavailable("the gateway answers " + answer.status());
      }
      return Optional.of(answer.body());
    } catch (NoAnswerException e) {
      throw new NotNowException("the gateway " + e.getMessage());
    }
  }

  private static Digest32 digest(ByteBuffer in) {
    byte[] bytes = new byte[Digest32.BYTES];
    in.get(bytes);
    return Digest32.of(bytes);
  }

  private static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }

  @Override
  public void close() {
    calls.close();
  }
}
