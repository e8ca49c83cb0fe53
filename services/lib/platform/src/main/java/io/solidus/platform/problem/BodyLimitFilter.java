package io.solidus.platform.problem;

import io.solidus.protocol.RejectionCode;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.springframework.http.ResponseEntity;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refuses bodies over the limit: before reading if the request has a length, else while reading.
 * Refuses bodies that are not complete by a deadline: each single read ends after the connection's
 * timeout, but a sender who trickles bytes would otherwise hold a connection for days.
 *
 * <p>Each body has a deadline of its own, between one and two times the stated one. A stranger who
 * begins a thousand bodies at once would otherwise get a thousand refusals at once, and whatever
 * the service does for others at that moment would wait for them.
 *
 * <p>A body that trickles is read in few steps: while little of it comes and nothing more has
 * arrived, the next read waits as long again as the body has taken so far. Otherwise each byte of
 * such a body would wake a thread. A body so ends after at most twice its own time and a moment.
 */
public final class BodyLimitFilter extends OncePerRequestFilter {
  private final long limitBytes;
  private final Duration deadline;
  private final List<String> exemptPrefixes;
  private final JsonMapper json;

  /**
   * Makes the filter.
   *
   * @param deadline for the whole body; none is refused earlier, and after twice as long none is
   *     read on; a sender who falls silent just before is refused after the timeout of the
   *     connection
   * @param exemptPrefixes of paths whose handlers stream and limit their bodies themselves
   */
  public BodyLimitFilter(
      long limitBytes, Duration deadline, List<String> exemptPrefixes, JsonMapper json) {
    this.limitBytes = limitBytes;
    this.deadline = deadline;
    this.exemptPrefixes = List.copyOf(exemptPrefixes);
    this.json = json;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (exemptPrefixes.stream().anyMatch(request.getRequestURI()::startsWith)) {
      chain.doFilter(request, response);
      return;
    }
    if (request.getContentLengthLong() > limitBytes) {
      refuse(response);
      return;
    }
    chain.doFilter(new LimitedRequest(request, limitBytes, deadline), response);
  }

  private void refuse(HttpServletResponse response) throws IOException {
    ResponseEntity<Problem> answer =
        ProblemResponses.answer(
            RejectionCode.BODY_TOO_LARGE, new BodyTooLargeException(limitBytes).detail());
    response.setStatus(answer.getStatusCode().value());
    response.setContentType(Problem.MEDIA_TYPE);
    response.setHeader("Connection", "close");
    json.writeValue(response.getOutputStream(), answer.getBody());
  }

  private static final class LimitedRequest extends HttpServletRequestWrapper {
    private final long limitBytes;
    private final Duration deadline;

    LimitedRequest(HttpServletRequest request, long limitBytes, Duration deadline) {
      super(request);
      this.limitBytes = limitBytes;
      this.deadline = deadline;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new LimitedStream(super.getInputStream(), limitBytes, deadline);
    }

    @Override
    public BufferedReader getReader() throws IOException {
      return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }
  }

  private static final class LimitedStream extends ServletInputStream {
    /** A network's packet of a body's middle has more. */
    private static final int LITTLE = 256;

    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ServletInputStream inner;
    private final long limitBytes;
    private final Duration deadline;
    private final long begun = System.nanoTime();
    private final long end;
    private boolean trickles;
    private long readBytes;

    LimitedStream(ServletInputStream inner, long limitBytes, Duration deadline) {
      this.inner = inner;
      this.limitBytes = limitBytes;
      this.deadline = deadline;
      this.end =
          begun + deadline.toNanos() + ThreadLocalRandom.current().nextLong(deadline.toNanos());
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (trickles && inner.available() == 0 && !inner.isFinished()) {
        pause();
      }
      try {
        int read = inner.read(buffer, offset, length);
        trickles = read < LITTLE && read < length;
        if (read > 0) {
          count(read);
        }
        return read;
      } catch (IOException failure) {
        if (isTimeout(failure)) {
          throw silent();
        }
        throw failure;
      }
    }

    private void pause() {
      long now = System.nanoTime();
      sleep(Math.min(Math.max(now - begun, SHORTEST_PAUSE_NANOS), end - now));
    }

    private static boolean isTimeout(IOException failure) {
      return failure instanceof SocketTimeoutException
          || failure.getCause() instanceof SocketTimeoutException;
    }

    /** Bodies that began together and of which nothing comes time out together as well. */
    private BodyTooSlowException silent() {
      sleep(end - System.nanoTime());
      return new BodyTooSlowException(deadline);
    }

    private static void sleep(long nanos) {
      try {
        TimeUnit.NANOSECONDS.sleep(nanos);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void count(int bytes) throws BodyTooLargeException, BodyTooSlowException {
      readBytes += bytes;
      if (readBytes > limitBytes) {
        throw new BodyTooLargeException(limitBytes);
      }
      if (System.nanoTime() - end > 0) {
        throw new BodyTooSlowException(deadline);
      }
    }

    @Override
    public boolean isFinished() {
      return inner.isFinished();
    }

    @Override
    public boolean isReady() {
      return inner.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      inner.setReadListener(listener);
    }
  }
}
