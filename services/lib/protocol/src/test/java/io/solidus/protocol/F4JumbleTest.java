package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class F4JumbleTest {
  private final Samples samples = new Samples(6);

  /**
   * Published vectors of 48, 64, 128, 129 and 193 bytes:
   * https://github.com/zcash/zcash-test-vectors/blob/master/test-vectors/json/f4jumble.json
   */
  @ParameterizedTest
  @Spec("F-12")
  @MethodSource("published")
  void agreesWithThePublishedVectors(String normal, String jumbled) {
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(F4Jumble.jumble(hex.parseHex(normal)))).isEqualTo(jumbled);
    assertThat(hex.formatHex(F4Jumble.unjumble(hex.parseHex(jumbled)))).isEqualTo(normal);
  }

  static Stream<Arguments> published() {
    return Stream.of(
        Arguments.of(
            "5d7a8f739a2d9e945b0ce152a8049e294c4d6e66b164939daffa2ef6ee6921481cdd86b3cc4318d9"
                + "614fc820905d042b",
            "0304d029141b995da5387c125970673504d6c764d91ea6c082123770c7139ccd88ee27368cd0c092"
                + "1a0444c8e5858d22"),
        Arguments.of(
            "b1ef9ca3f24988c7b3534201cfb1cd8dbf69b8250c18ef41294ca97993db546c1fe01f7e9c8e36d6"
                + "a5e29d4e30a73594bf5098421c69378af1e40f64e125946f",
            "5271fa3321f3adbcfb075196883d542b438ec6339176537daf859841fe6a56222bff76d1662b5509"
                + "a9e1079e446eeedd2e683c31aae3ee1851d7954328526be1"),
        Arguments.of(
            "62c2fa7b2fecbcb64b6968912a6381ce3dc166d56a1d62f5a8d7551db5fd9313e8c7203d996af7d4"
                + "77083756d59af80d06a745f44ab023752cb5b406ed8985e18130ab33362697b0e4e4c763ccb8f676"
                + "495c222f7fba1e31defa3d5a57efc2e1e9b01a035587d5fb1a38e01d94903d3c3e0ad3360c1d3710"
                + "acd20b183e31d49f",
            "498cf1b1ba6f4577effe64151d67469adc30acc325e326207e7d78487085b4162669f82f02f9774c"
                + "0cc26ae6e1a76f1e266c6a9a8a2f4ffe8d2d676b1ed71cc47195a3f19208998f7d8cdfc0b74d2a96"
                + "364d733a62b4273c77d9828aa1fa061588a7c4c88dd3d3dde02239557acfaad35c55854f4541e1a1"
                + "b3bc8c17076e7316"),
        Arguments.of(
            "25c9a138f49b1a537edcf04be34a9851a7af9db6990ed83dd64af3597c04323ea51b0052ad8084a8"
                + "b9da948d320dadd64f5431e61ddf658d24ae67c22c8d1309131fc00fe7f235734276d38d47f1e191"
                + "e00c7a1d48af046827591e9733a97fa6b679f3dc601d008285edcbdae69ce8fc1be4aac00ff2711e"
                + "bd931de518856878f7",
            "7508a3a146714f229db91b543e240633ed57853f6451c9db6d64c6e86af1b88b28704f608582c53c"
                + "51ce7d5b8548827a971d2b98d41b7f6258655902440cd66ee11e84dbfac7d2a43696fd0468810a3d"
                + "9637c3fa58e7d2d341ef250fa09b9fb71a78a41d389370138a55ea58fcde779d714a04e0d30e61dc"
                + "2d8be0da61cd684509"),
        Arguments.of(
            "7e745939ffedbd12863ce71a02af117d417adb3d15cc54dcb1fce467500c6b8fb86b12b56da9c382"
                + "857deecc40a98d5f2935395ee4762dd21afdbb5d47fa9a6dd984d567db2857b927b7fae2db587105"
                + "415d4642789d38f50b8dbcc129cab3d17d19f3355bcf73cecb8cb8a5da01307152f13936a2705726"
                + "70dc82d39026c6cb4cd4b0f7f5aa2a4f5a5341ec5dd715406f2fdd2afa733f5f641c8c21862a1baf"
                + "ce2609d9eecfa158cfb5cd79f88008e315dc7d8388e76c1782fd2795d18a763624",
            "1a52585e652da6ea46994954905cb79f55fca58171a4d7f773a57d23ed9ddec0c745ef0f4588fa7b"
                + "2b68d69cdd25e5eb0e08c20523a3957171f1730ab0636faee75da2dc9e89562f0653d4e942217928"
                + "6ae8305f01371f47ab16eed692c3895ce2fd655e4b19651c35d83c81894f687055b5811144406465"
                + "08e39a49b0d5a99004560af7367cc2738344d4e797a995ed66df72228e3d3746674337104700144c"
                + "73b6db27d238c9e1770662feb0957d5028b5086f3839aacf275022dd7e7e983b6d"));
  }

  @Test
  void everyLengthRoundTrips() {
    for (int length = F4Jumble.MIN_BYTES; length < 400; length++) {
      byte[] message = samples.bytes(length);
      byte[] jumbled = F4Jumble.jumble(message);
      assertThat(jumbled).hasSize(length).isNotEqualTo(message);
      assertThat(F4Jumble.unjumble(jumbled)).isEqualTo(message);
    }
  }

  /** The block number of the long part takes two bytes from 256 * 64 + 64 bytes on. */
  @Test
  void longMessagesRoundTripAndDoNotRepeatTheirMask() {
    byte[] jumbled = F4Jumble.jumble(new byte[64 + 2 * 256 * 64]);
    assertThat(F4Jumble.unjumble(jumbled)).containsOnly(0);
    assertThat(Arrays.copyOfRange(jumbled, 64, 64 + 256 * 64))
        .isNotEqualTo(Arrays.copyOfRange(jumbled, 64 + 256 * 64, jumbled.length));
  }

  @Test
  @Spec("F-12")
  void otherLengthsAreRefused() {
    for (int length : new int[] {0, F4Jumble.MIN_BYTES - 1, F4Jumble.MAX_BYTES + 1}) {
      assertThatThrownBy(() -> F4Jumble.jumble(new byte[length]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> F4Jumble.unjumble(new byte[length]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** RFC 7693, appendix A. */
  @Test
  void blake2bAgreesWithItsRfc() {
    assertThat(HexFormat.of().formatHex(Blake2b.hash(64, new byte[16], Bytes.utf8("abc"))))
        .isEqualTo(
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
  }

  /** Made with Python's hashlib: a digest of 20 bytes, personalised, over 0 to 1000 bytes. */
  @ParameterizedTest
  @MethodSource("personalised")
  void blake2bAgreesWithAnotherImplementation(int length, String digest) {
    byte[] message = new byte[length];
    for (int i = 0; i < length; i++) {
      message[i] = (byte) i;
    }
    assertThat(HexFormat.of().formatHex(Blake2b.hash(20, Bytes.utf8("solidus-blake-2b"), message)))
        .isEqualTo(digest);
  }

  static Stream<Arguments> personalised() {
    return Stream.of(
        Arguments.of(0, "4fc6b928543efb8a65c1cbcd5a45ab582a7ec96a"),
        Arguments.of(1, "8ffd50e744977c7aada0a34c587bcf1001554abc"),
        Arguments.of(128, "ea7abf41e9a6a80b4bd35b9812ec1173e2824615"),
        Arguments.of(129, "a6ea6ff97c469967d4626777de88547ac24ec28e"),
        Arguments.of(256, "df109808502b20c1810f33cb2f708dc2add4c59b"),
        Arguments.of(1000, "941707feeee6125814cd0a381949dc2c5fa9aef0"));
  }
}
