package io.solidus.wire.ohttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.Spec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Spec("F-61")
class BinaryHttpTest {
  private static final BinaryRequest POST =
      new BinaryRequest(
          "POST",
          "gateway.example:8443",
          "/v1/mailbox?after=7",
          List.of(new BinaryField("content-type", "application/json")),
          ascii("{\"blob\":\"AA\"}"));
  private static final BinaryResponse ANSWER =
      new BinaryResponse(
          429, List.of(new BinaryField("retry-after", "1")), ascii("{\"code\":\"overloaded\"}"));

  /** RFC 9292, section 5.1: the request of known length, whole and truncated. */
  @Test
  void theRequestOfTheRfcIsRead() {
    byte[] message =
        hex(
            "00034745540568747470730"
                + "00a2f68656c6c6f2e747874406c0a757365722d61"
                + "67656e74346375726c2f372e31362e33206c69626375726c2f372e31362e3320"
                + "4f70656e53534c2f302e392e376c207a6c69622f312e322e3304686f73740f77"
                + "77772e6578616d706c652e636f6d0f6163636570742d6c616e67756167650665"
                + "6e2c206d690000");
    for (int left = 0; left <= 2; left++) {
      BinaryRequest request = BinaryRequest.decode(Arrays.copyOf(message, message.length - left));
      assertThat(request.method()).isEqualTo("GET");
      assertThat(request.authority()).isEmpty();
      assertThat(request.path()).isEqualTo("/hello.txt");
      assertThat(request.fields())
          .containsExactly(
              new BinaryField("user-agent", "curl/7.16.3 libcurl/7.16.3 OpenSSL/0.9.7l zlib/1.2.3"),
              new BinaryField("host", "www.example.com"),
              new BinaryField("accept-language", "en, mi"));
      assertThat(request.content()).isEmpty();
    }
  }

  /** RFC 9292, section 5.2: the answer of known length; its trailers are refused. */
  @Test
  void theResponseOfTheRfcIsReadWithoutItsTrailers() {
    byte[] message =
        hex(
            "0140c8001d546869732063"
                + "6f6e74656e7420636f6e7461696e732043524c462e0d0a"
                + "0d07747261696c65720474657874");
    assertThatExceptionOfType(BinaryHttpException.class)
        .isThrownBy(() -> BinaryResponse.decode(message));
    assertThat(BinaryResponse.decode(Arrays.copyOf(message, message.length - 14)).content())
        .isEqualTo(ascii("This content contains CRLF.\r\n"));
  }

  /** RFC 9458, appendix A: messages that end with their control data. */
  @Test
  void emptySectionsAtTheEndMayBeMissing() {
    BinaryRequest request =
        BinaryRequest.decode(hex("00034745540568747470730b6578616d706c652e636f6d012f"));
    assertThat(request.authority()).isEqualTo("example.com");
    assertThat(request.path()).isEqualTo("/");
    assertThat(BinaryResponse.decode(hex("0140c8")).status()).isEqualTo(200);
  }

  @Test
  void whatIsWrittenIsReadAndHasTheLengthOfItsClass() {
    byte[] request = POST.encode();
    assertThat(request).hasSize(4096);
    BinaryRequest read = BinaryRequest.decode(request);
    assertThat(read.path()).isEqualTo(POST.path());
    assertThat(read.authority()).isEqualTo(POST.authority());
    assertThat(read.fields()).isEqualTo(POST.fields());
    assertThat(read.content()).isEqualTo(POST.content());
    BinaryResponse answer = BinaryResponse.decode(ANSWER.encode());
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.fields()).isEqualTo(ANSWER.fields());
    assertThat(answer.content()).isEqualTo(ANSWER.content());
  }

  @Test
  void aLengthSaysNoMoreThanItsClass() {
    assertThat(encoded(0)).isEqualTo(encoded(4000)).isEqualTo(4 << 10);
    assertThat(encoded(4096)).isEqualTo(encoded(16_000)).isEqualTo(16 << 10);
    assertThat(encoded(241_673)).as("a page of 200 messages").isEqualTo(256 << 10);
    assertThat(encoded((4 << 20) - 9)).isEqualTo(4 << 20);
    assertThatExceptionOfType(BinaryHttpException.class).isThrownBy(() -> encoded(4 << 20));
  }

  @Test
  void numbersMayBeLongerThanTheyHaveTo() {
    for (String status : List.of("40c8", "800000c8", "c0000000000000c8")) {
      assertThat(BinaryResponse.decode(hex("01" + status)).status()).isEqualTo(200);
    }
    assertThat(BinaryResponse.decode(hex("4001" + "40c8" + "4000" + "80000001" + "61")).content())
        .isEqualTo(ascii("a"));
  }

  @Test
  void everyTruncationOfWhatIsNotEmptyIsRefused() {
    byte[] whole =
        hex("00034745540568747470730b6578616d706c652e636f6d012f" + "0401610162" + "0163");
    assertThat(BinaryRequest.decode(whole).content()).isEqualTo(ascii("c"));
    int control = 25;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (length != control && length != control + 5) {
        assertRefused(cut);
      }
    }
  }

  @Test
  void lengthsBeyondTheMessageAreRefused() {
    String control = "00034745540568747470730b6578616d706c652e636f6d012f";
    for (String length : List.of("3f", "7fff", "bfffffff", "ffffffffffffffff")) {
      assertRefused(hex(control + length));
      assertRefused(hex(control + "00" + length));
    }
  }

  @Test
  void otherKindsTrailersAndPaddingThatIsNotZeroAreRefused() {
    String rest = "034745540568747470730b6578616d706c652e636f6d012f";
    for (String framing : List.of("01", "02", "03", "04")) {
      assertRefused(hex(framing + rest));
    }
    assertThat(BinaryRequest.decode(hex("00" + rest + "0000" + "00" + "0000")).path())
        .isEqualTo("/");
    assertRefused(hex("00" + rest + "0000" + "04" + "01610162"));
    assertRefused(hex("00" + rest + "0000" + "00" + "0001"));
    assertThatExceptionOfType(BinaryHttpException.class)
        .as("an informational answer")
        .isThrownBy(() -> BinaryResponse.decode(hex("014066")));
    assertThatExceptionOfType(BinaryHttpException.class)
        .isThrownBy(() -> BinaryResponse.decode(hex("01ffffffffffffffff")));
  }

  @Test
  void noHeaderOrPathCarriesALineEnd() {
    for (String name : List.of("", ":path", "Host", "a b", "a\n")) {
      assertThatExceptionOfType(BinaryHttpException.class)
          .isThrownBy(() -> new BinaryField(name, "b"));
    }
    for (String value : List.of("a\r\nb: c", "a\0", " a", "a ", "\u00e4")) {
      assertThatExceptionOfType(BinaryHttpException.class)
          .isThrownBy(() -> new BinaryField("a", value));
    }
    for (String path : List.of("", "v1", "/a b", "/a\n", "/a#b", "/a\\b", "/\u00e4")) {
      assertThatExceptionOfType(BinaryHttpException.class)
          .isThrownBy(() -> new BinaryRequest("GET", "a", path, List.of(), new byte[0]));
    }
  }

  @Test
  void moreHeadersThanAllowedAreRefused() {
    List<BinaryField> fields =
        IntStream.range(0, 65).mapToObj(i -> new BinaryField("a" + i, "b")).toList();
    assertRefused(new BinaryRequest("GET", "a", "/", fields, new byte[0]).encode());
  }

  @Test
  void aDateHasTheFormOfTheRfc() {
    Instant time = Instant.parse("1994-11-06T08:49:37Z");
    assertThat(HttpDate.of(time)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    assertThat(HttpDate.parse("Sun, 06 Nov 1994 08:49:37 GMT")).contains(time);
    for (String other : List.of("", "now", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37")) {
      assertThat(HttpDate.parse(other)).isEmpty();
    }
  }

  private static int encoded(int content) {
    return new BinaryResponse(200, List.of(), new byte[content]).encode().length;
  }

  private static void assertRefused(byte[] message) {
    assertThatExceptionOfType(BinaryHttpException.class)
        .isThrownBy(() -> BinaryRequest.decode(message));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
