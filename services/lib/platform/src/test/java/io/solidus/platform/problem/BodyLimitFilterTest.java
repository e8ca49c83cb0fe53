package io.solidus.platform.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

class BodyLimitFilterTest {
  private static final int LIMIT = 100_000;
  private static final int WHOLE = 8_000;

  @Test
  void aBodyThatTricklesIsReadInFewSteps() {
    // a byte each 5 ms, which is 100 to 200 of them before the deadline
    ArrivingBody body = new ArrivingBody(1_000, 1, Duration.ofMillis(5), WHOLE);
    assertThatThrownBy(() -> read(body, Duration.ofMillis(500)))
        .isInstanceOf(BodyTooSlowException.class);
    assertThat(body.reads).isLessThan(20);
  }

  @Test
  void aSlowBodyIsReadWhole() throws Exception {
    ArrivingBody body = new ArrivingBody(100, 1, Duration.ofMillis(5), WHOLE);
    assertThat(read(body, Duration.ofSeconds(20))).hasSize(100);
  }

  /** As the parts of a chunked body do. */
  @Test
  void smallPartsThatHaveArrivedAreReadAtOnce() throws Exception {
    ArrivingBody body = new ArrivingBody(1_000, 1_000, Duration.ofMillis(1), 10);
    // a pause behind each part would double the time a hundred times
    assertThat(read(body, Duration.ofSeconds(20))).hasSize(1_000);
    assertThat(body.reads).isEqualTo(101);
  }

  private static byte[] read(ArrivingBody body, Duration deadline)
      throws ServletException, IOException {
    MockHttpServletRequest request =
        new MockHttpServletRequest("POST", "/v1/mailbox") {
          @Override
          public ServletInputStream getInputStream() {
            return body;
          }
        };
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new BodyLimitFilter(LIMIT, deadline, List.of(), JsonMapper.shared())
        .doFilter(
            request,
            new MockHttpServletResponse(),
            (limited, response) -> limited.getInputStream().transferTo(bytes));
    return bytes.toByteArray();
  }

  /** Bytes of a body that arrive over time. */
  private static final class ArrivingBody extends ServletInputStream {
    private final int length;
    private final int together;
    private final long intervalNanos;
    private final int part;
    private final long begun = System.nanoTime();
    private int taken;
    private int reads;

    /**
     * @param together bytes that arrive in each interval
     * @param part bytes that one read returns at most
     */
    ArrivingBody(int length, int together, Duration interval, int part) {
      this.length = length;
      this.together = together;
      this.intervalNanos = interval.toNanos();
      this.part = part;
    }

    @Override
    public int available() {
      long arrived = (System.nanoTime() - begun) / intervalNanos * together;
      return (int) Math.min(arrived, length) - taken;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int wanted) {
      reads++;
      if (isFinished()) {
        return -1;
      }
      while (available() == 0) {
        try {
          TimeUnit.NANOSECONDS.sleep(intervalNanos / 2);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      int read = Math.min(Math.min(wanted, part), available());
      taken += read;
      return read;
    }

    @Override
    public boolean isFinished() {
      return taken == length;
    }

    @Override
    public boolean isReady() {
      return available() > 0;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }
}
