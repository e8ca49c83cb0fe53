package io.solidus.edge.gateway.oblivious;

import io.solidus.wire.ohttp.BinaryField;
import io.solidus.wire.ohttp.BinaryResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps what a route answers to a relayed request. Nothing of it reaches the relay's answer. */
final class InnerResponse extends HttpServletResponseWrapper {
  /** The headers that a wallet reads. */
  private static final List<String> TOLD = List.of("content-type", "retry-after");

  private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final PrintWriter writer =
      new PrintWriter(new OutputStreamWriter(content, StandardCharsets.UTF_8), true);
  private int status = SC_OK;

  InnerResponse(HttpServletResponse outer) {
    super(outer);
  }

  byte[] content() {
    writer.flush();
    return content.toByteArray();
  }

  BinaryResponse message() {
    List<BinaryField> fields = new ArrayList<>();
    for (String name : TOLD) {
      String value = headers.get(name);
      if (value != null) {
        fields.add(new BinaryField(name, value));
      }
    }
    return new BinaryResponse(status, fields, content());
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return new ServletOutputStream() {
      @Override
      public void write(int octet) {
        content.write(octet);
      }

      @Override
      public void write(byte[] octets, int offset, int length) {
        content.write(octets, offset, length);
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        throw new IllegalStateException("a relayed request is answered at once");
      }
    };
  }

  @Override
  public PrintWriter getWriter() {
    return writer;
  }

  @Override
  public void setStatus(int code) {
    status = code;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void sendError(int code) {
    status = code;
  }

  @Override
  public void sendError(int code, String text) {
    status = code;
  }

  @Override
  public void sendRedirect(String location) {
    status = SC_NOT_FOUND;
  }

  @Override
  public void sendRedirect(String location, int code, boolean clear) {
    status = SC_NOT_FOUND;
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    if (value == null) {
      headers.remove(name);
    } else {
      headers.put(name, value);
    }
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    setHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    setHeader(name, Integer.toString(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    setIntHeader(name, value);
  }

  @Override
  public void setDateHeader(String name, long date) {
    // no route's date is told
  }

  @Override
  public void addDateHeader(String name, long date) {
    setDateHeader(name, date);
  }

  @Override
  public boolean containsHeader(String name) {
    return headers.containsKey(name);
  }

  @Override
  public @Nullable String getHeader(String name) {
    return headers.get(name);
  }

  @Override
  public Collection<String> getHeaders(String name) {
    String value = headers.get(name);
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public Collection<String> getHeaderNames() {
    return List.copyOf(headers.keySet());
  }

  @Override
  public void addCookie(Cookie cookie) {
    throw new IllegalStateException("the gateway has no cookies");
  }

  @Override
  public void setContentType(@Nullable String type) {
    setHeader("Content-Type", type);
  }

  @Override
  public @Nullable String getContentType() {
    return headers.get("Content-Type");
  }

  @Override
  public void setCharacterEncoding(@Nullable String encoding) {
    // JSON is UTF-8
  }

  @Override
  public String getCharacterEncoding() {
    return StandardCharsets.UTF_8.name();
  }

  @Override
  public void setContentLength(int length) {
    // the message has its own
  }

  @Override
  public void setContentLengthLong(long length) {
    // the message has its own
  }

  @Override
  public void setLocale(Locale locale) {
    // no answer depends on one
  }

  @Override
  public void flushBuffer() {
    // nothing goes out before the whole answer is there
  }

  @Override
  public void reset() {
    resetBuffer();
    headers.clear();
    status = SC_OK;
  }

  @Override
  public void resetBuffer() {
    content();
    content.reset();
  }

  @Override
  public boolean isCommitted() {
    return false;
  }
}
