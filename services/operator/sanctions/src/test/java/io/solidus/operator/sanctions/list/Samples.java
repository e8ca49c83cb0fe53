package io.solidus.operator.sanctions.list;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The bundled lists of invented persons, and small files written in tests. */
public final class Samples {
  private Samples() {}

  public static byte[] bytes(String name) throws IOException {
    try (InputStream in = Samples.class.getResourceAsStream("/samples/" + name)) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  public static byte[] un() throws IOException {
    return bytes("un-sample.xml");
  }

  public static byte[] ofac() throws IOException {
    return bytes("ofac-sdn-sample.csv");
  }

  public static byte[] ofacAlt() throws IOException {
    return bytes("ofac-alt-sample.csv");
  }

  /** The result of parsing a file. */
  public record Parsed(ParseReport report, List<ListedEntry> entries) {
    public ListedEntry entry(String reference) {
      return entries.stream()
          .filter(entry -> entry.reference().equals(reference))
          .findFirst()
          .orElseThrow();
    }
  }

  public static Parsed parse(ListId list, byte[] file) throws IOException, ListRefusedException {
    return parse(list, new ByteArrayInputStream(file));
  }

  public static Parsed parse(ListId list, String file) throws IOException, ListRefusedException {
    return parse(list, file.getBytes(StandardCharsets.UTF_8));
  }

  static Parsed parse(ListId list, String file, Charset charset)
      throws IOException, ListRefusedException {
    return parse(list, file.getBytes(charset));
  }

  static Parsed parse(ListId list, InputStream file) throws IOException, ListRefusedException {
    List<ListedEntry> entries = new ArrayList<>();
    ParseReport report = ListParser.of(list).parse(new BufferedInputStream(file), entries::add);
    return new Parsed(report, entries);
  }
}
