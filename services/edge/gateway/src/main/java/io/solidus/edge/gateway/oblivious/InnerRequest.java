package io.solidus.edge.gateway.oblivious;

import io.solidus.wire.ohttp.BinaryField;
import io.solidus.wire.ohttp.BinaryRequest;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * A relayed request as the gateway's own routes see it. Nothing of the relay's request shows in it:
 * neither headers, nor the address, nor attributes.
 */
final class InnerRequest extends HttpServletRequestWrapper {
  /** All others are left out: they could tell wallets apart. */
  private static final Set<String> KNOWN =
      Set.of("accept", "authorization", "content-type", "idempotency-key");

  private final BinaryRequest request;
  private final String address;
  private final byte[] content;
  private final String path;
  private final @Nullable String query;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final Map<String, String[]> parameters = new LinkedHashMap<>();
  private final Map<String, Object> attributes = new HashMap<>();

  /**
   * @param address by which this request's sender is known; no two requests have the same
   */
  InnerRequest(HttpServletRequest outer, BinaryRequest request, String address) {
    super(outer);
    this.request = request;
    this.address = address;
    this.content = request.content();
    int mark = request.path().indexOf('?');
    this.path = mark < 0 ? request.path() : request.path().substring(0, mark);
    this.query = mark < 0 ? null : request.path().substring(mark + 1);
    for (BinaryField field : request.fields()) {
      if (KNOWN.contains(field.name())) {
        headers.putIfAbsent(field.name(), field.value());
      }
    }
    MultiValueMap<String, String> encoded =
        UriComponentsBuilder.newInstance()
            .query(query == null ? "" : query)
            .build()
            .getQueryParams();
    encoded.forEach((name, values) ->
        parameters.put(
            decoded(name), values.stream().map(InnerRequest::decoded).toArray(String[]::new)));
  }

  private static String decoded(@Nullable String text) {
    return text == null ? "" : UriUtils.decode(text, StandardCharsets.UTF_8);
  }

  @Override
  public String getMethod() {
    return request.method();
  }

  @Override
  public String getRequestURI() {
    return path;
  }

  @Override
  public StringBuffer getRequestURL() {
    return new StringBuffer("https://").append(request.authority()).append(path);
  }

  @Override
  public String getServletPath() {
    return path;
  }

  @Override
  public @Nullable String getPathInfo() {
    return null;
  }

  @Override
  public @Nullable String getQueryString() {
    return query;
  }

  @Override
  public String getRemoteAddr() {
    return address;
  }

  @Override
  public String getRemoteHost() {
    return address;
  }

  @Override
  public int getRemotePort() {
    return 0;
  }

  @Override
  public @Nullable String getRemoteUser() {
    return null;
  }

  @Override
  public Cookie @Nullable [] getCookies() {
    return null;
  }

  @Override
  public @Nullable String getHeader(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String value = getHeader(name);
    return value == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(value));
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    return Collections.enumeration(headers.keySet());
  }

  @Override
  public int getIntHeader(String name) {
    return -1;
  }

  @Override
  public long getDateHeader(String name) {
    return -1;
  }

  @Override
  public @Nullable String getContentType() {
    return headers.get("content-type");
  }

  @Override
  public String getCharacterEncoding() {
    return StandardCharsets.UTF_8.name();
  }

  @Override
  public int getContentLength() {
    return content.length;
  }

  @Override
  public long getContentLengthLong() {
    return content.length;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Content(content);
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = parameters.get(name);
    return values == null ? null : values[0];
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return Collections.unmodifiableMap(parameters);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(parameters.keySet());
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return parameters.get(name);
  }

  @Override
  public Collection<Part> getParts() {
    return List.of();
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return attributes.get(name);
  }

  @Override
  public Enumeration<String> getAttributeNames() {
    return Collections.enumeration(List.copyOf(attributes.keySet()));
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    if (value == null) {
      attributes.remove(name);
    } else {
      attributes.put(name, value);
    }
  }

  @Override
  public void removeAttribute(String name) {
    attributes.remove(name);
  }

  @Override
  public boolean isAsyncSupported() {
    return false;
  }

  @Override
  public boolean isAsyncStarted() {
    return false;
  }

  @Override
  public AsyncContext startAsync() {
    throw new IllegalStateException("a relayed request is answered at once");
  }

  @Override
  public AsyncContext startAsync(ServletRequest asked, ServletResponse answer) {
    return startAsync();
  }

  private static final class Content extends ServletInputStream {
    private final ByteArrayInputStream in;

    Content(byte[] content) {
      this.in = new ByteArrayInputStream(content);
    }

    @Override
    public int read() {
      return in.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      return in.read(buffer, offset, length);
    }

    @Override
    public boolean isFinished() {
      return in.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("a relayed request is read at once");
    }
  }
}
