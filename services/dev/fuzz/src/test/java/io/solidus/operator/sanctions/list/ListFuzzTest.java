package io.solidus.operator.sanctions.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parsers of published sanctions lists: any file gives well-formed entries or a refusal, and
 * nothing outside the file is read.
 */
class ListFuzzTest {
  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

  private static byte[] sample(String name) {
    try (InputStream in = ListFuzzTest.class.getResourceAsStream("/samples/" + name)) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] xml(String declarations, String inner) {
    return (HEAD
            + declarations
            + "<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><REFERENCE_NUMBER>A.1</REFERENCE_NUMBER><FIRST_NAME>"
            + inner
            + "</FIRST_NAME></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String laughs() {
    StringBuilder out = new StringBuilder("<!DOCTYPE x [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 20; i++) {
      out.append("<!ENTITY a")
          .append(i)
          .append(" \"")
          .append(("&a" + (i - 1) + ";").repeat(10))
          .append("\">");
    }
    return out.append("]>").toString();
  }

  static Stream<byte[]> lists() {
    return Stream.of(
        sample("un-sample.xml"),
        xml("", "ONE"),
        xml("", "a".repeat(3000)),
        xml("", "<a>".repeat(40)),
        xml(laughs(), "&a19;"),
        xml("<!DOCTYPE x SYSTEM \"file:///etc/passwd\">", "ONE"),
        xml("<!DOCTYPE x [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/x\"> %p;]>", "ONE"),
        xml("", "&#0;"),
        "\u0000\u0000<".getBytes(StandardCharsets.UTF_8),
        new byte[] {-1, -2, 0, 60},
        new byte[0]);
  }

  @MethodSource("lists")
  @FuzzTest
  void readsUnLists(byte @NotNull [] file) {
    read(ListId.UN, file);
  }

  static Stream<byte[]> tables() {
    return Stream.of(
        sample("ofac-sdn-sample.csv"),
        sample("ofac-alt-sample.csv"),
        "1,\"A\"\"B\",individual,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1960.\"\r\n"
            .getBytes(StandardCharsets.UTF_8),
        "1,\"A,individual\n".getBytes(StandardCharsets.UTF_8),
        ",".repeat(100_000).getBytes(StandardCharsets.UTF_8),
        "\"".repeat(70_000).getBytes(StandardCharsets.UTF_8),
        ("1,N,individual,-0-,-0-,-0-,-0-,-0-,-0-,-0-,-0-,\"" + "DOB 1960;".repeat(2000) + "\"\n")
            .getBytes(StandardCharsets.UTF_8),
        new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, 0x1a},
        new byte[0]);
  }

  @MethodSource("tables")
  @FuzzTest
  void readsOfacTables(byte @NotNull [] file) {
    read(ListId.OFAC, file);
    read(ListId.OFAC_ALT, file);
  }

  static Stream<Arguments> patches() {
    return Stream.of(
        Arguments.of(0, 5, new byte[] {1}),
        Arguments.of(1, 40, new byte[] {0, 7}),
        Arguments.of(2, 3, new byte[] {2}));
  }

  /** Inputs close to the published formats. */
  @MethodSource("patches")
  @FuzzTest
  void readsChangedLists(int which, int offset, byte @NotNull [] patch) {
    switch (Math.floorMod(which, 3)) {
      case 0 -> readsUnLists(Hostile.patched(sample("un-sample.xml"), offset, patch));
      case 1 -> readsOfacTables(Hostile.patched(sample("ofac-sdn-sample.csv"), offset, patch));
      default -> readsOfacTables(Hostile.patched(sample("ofac-alt-sample.csv"), offset, patch));
    }
  }

  private static void read(ListId list, byte[] file) {
    AtomicLong names = new AtomicLong();
    Hostile.decoded(
            file.length,
            ListRefusedException.class,
            () ->
                ListParser.of(list)
                    .parse(
                        new BufferedInputStream(new ByteArrayInputStream(file)),
                        entry -> names.addAndGet(entry.names().size() + entry.weakNames().size())))
        .ifPresent(report -> assertThat(report.names()).isEqualTo((int) names.get()).isPositive());
  }

  /**
   * A file that declares an entity, internal or external, is refused before any entity is resolved
   * or expanded.
   */
  @Test
  void declarationsRefuseTheFile(@TempDir Path folder) throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "TOP SECRET NAME");
    List<byte[]> files =
        List.of(
            xml(laughs(), "&a19;"),
            xml("<!DOCTYPE x [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]>", "&e;"),
            xml("<!DOCTYPE x [<!ENTITY % p SYSTEM \"" + secret.toUri() + "\"> %p;]>", "ONE"),
            xml("<!DOCTYPE x PUBLIC \"-//x\" \"" + secret.toUri() + "\">", "ONE"),
            xml("", "&undeclared;"));
    for (byte[] file : files) {
      assertThatThrownBy(() ->
              ListParser.of(ListId.UN)
                  .parse(
                      new ByteArrayInputStream(file),
                      entry -> assertThat(entry.names()).noneMatch(n -> n.contains("SECRET"))))
          .isInstanceOf(ListRefusedException.class);
    }
  }
}
