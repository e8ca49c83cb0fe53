package io.solidus.wire.json;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/** Reads the list of a certificate, which may be missing. A null is refused, as everywhere. */
final class CertificateReader extends StdDeserializer<List<PartialSignatureJson>> {
  CertificateReader() {
    super(List.class);
  }

  @Override
  public List<PartialSignatureJson> deserialize(JsonParser in, DeserializationContext context) {
    return context.readValue(
        in,
        context.getTypeFactory().constructCollectionType(List.class, PartialSignatureJson.class));
  }

  @Override
  public Object getNullValue(DeserializationContext context) {
    return context.reportInputMismatch(this, "a certificate is null");
  }

  @Override
  public @Nullable Object getAbsentValue(DeserializationContext context) {
    return null;
  }
}
