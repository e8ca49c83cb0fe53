package io.solidus.wire.ohttp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes numbers and sections as RFC 9292 does, with numbers as in RFC 9000, section 16. */
final class BinaryWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  BinaryWriter number(long value) {
    if (value < 1 << 6) {
      out.write((int) value);
    } else if (value < 1 << 14) {
      out.write((int) (0x40 | (value >>> 8)));
      out.write((int) value);
    } else {
      out.write((int) (0x80 | (value >>> 24)));
      out.write((int) (value >>> 16));
      out.write((int) (value >>> 8));
      out.write((int) value);
    }
    return this;
  }

  BinaryWriter bytes(byte[] section) {
    number(section.length);
    out.writeBytes(section);
    return this;
  }

  BinaryWriter text(String section) {
    return bytes(section.getBytes(StandardCharsets.US_ASCII));
  }

  BinaryWriter fields(List<BinaryField> fields) {
    BinaryWriter section = new BinaryWriter();
    fields.forEach(field -> section.text(field.name()).text(field.value()));
    return bytes(section.out.toByteArray());
  }

  byte[] padded() {
    return Arrays.copyOf(out.toByteArray(), SizeClass.of(out.size()));
  }
}
