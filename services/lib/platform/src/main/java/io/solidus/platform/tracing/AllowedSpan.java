package io.solidus.platform.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A span reduced to its ids, times, name and allowed attributes. It has no events, because they
 * contain the texts of exceptions, and no descriptions, trace states or attributes of links.
 */
final class AllowedSpan extends DelegatingSpanData {
  private static final Pattern NAME =
      Pattern.compile(
          "http|batch|[a-z-]{1,20} stage|authority|solidus\\.v1\\.[A-Za-z]{1,30}/[A-Za-z]{1,30}");
  private static final String OTHER = "other";

  private final SpanData whole;
  private final Attributes attributes;
  private final Resource resource;
  private final List<LinkData> links;

  AllowedSpan(SpanData span) {
    super(span);
    this.whole = span;
    this.attributes = allowed(span.getAttributes());
    this.resource = Resource.create(allowed(span.getResource().getAttributes()));
    this.links =
        span.getLinks().stream().map(link -> LinkData.create(bare(link.getSpanContext()))).toList();
  }

  @Override
  public String getName() {
    return NAME.matcher(super.getName()).matches() ? super.getName() : OTHER;
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public int getTotalAttributeCount() {
    return attributes.size();
  }

  @Override
  public Resource getResource() {
    return resource;
  }

  @Override
  public List<EventData> getEvents() {
    return List.of();
  }

  @Override
  public int getTotalRecordedEvents() {
    return 0;
  }

  @Override
  public List<LinkData> getLinks() {
    return links;
  }

  @Override
  public StatusData getStatus() {
    return StatusData.create(super.getStatus().getStatusCode(), "");
  }

  @Override
  public SpanContext getSpanContext() {
    return bare(super.getSpanContext());
  }

  @Override
  public SpanContext getParentSpanContext() {
    return bare(super.getParentSpanContext());
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return InstrumentationScopeInfo.create(Spans.SCOPE);
  }

  /** The number of dropped attributes and events, of the span, its links and its resource. */
  int dropped() {
    int ofLinks = whole.getLinks().stream().mapToInt(link -> link.getAttributes().size()).sum();
    return whole.getAttributes().size()
        - attributes.size()
        + whole.getResource().getAttributes().size()
        - resource.getAttributes().size()
        + ofLinks
        + whole.getEvents().size();
  }

  private static Attributes allowed(Attributes all) {
    AttributesBuilder some = Attributes.builder();
    all.forEach((key, value) -> {
      if (SpanAttribute.allows(key, value)) {
        some.put(key.getKey(), (String) value);
      }
    });
    return some.build();
  }

  private static SpanContext bare(SpanContext context) {
    return context.isValid()
        ? SpanContext.create(
            context.getTraceId(),
            context.getSpanId(),
            context.isSampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
            TraceState.getDefault())
        : SpanContext.getInvalid();
  }
}
