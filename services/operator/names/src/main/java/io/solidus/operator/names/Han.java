package io.solidus.operator.names;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ways in which one Han character of a name is written in Latin letters: Pinyin, Wade-Giles
 * without its marks, and for common family names also how they are written in Hong Kong, South-East
 * Asia and Korea.
 */
final class Han {
  private static final String[][] WADE_GILES_INITIALS = {
    {"zh", "ch"},
    {"b", "p"},
    {"d", "t"},
    {"g", "k"},
    {"j", "ch"},
    {"q", "ch"},
    {"x", "hs"},
    {"z", "ts"},
    {"c", "ts"},
    {"r", "j"}
  };

  private static final Map<String, String> WADE_GILES_WHOLE =
      Map.ofEntries(
          Map.entry("zhi", "chih"),
          Map.entry("chi", "chih"),
          Map.entry("shi", "shih"),
          Map.entry("ri", "jih"),
          Map.entry("zi", "tzu"),
          Map.entry("ci", "tzu"),
          Map.entry("si", "ssu"),
          Map.entry("yi", "i"),
          Map.entry("you", "yu"),
          Map.entry("yan", "yen"),
          Map.entry("ye", "yeh"),
          Map.entry("he", "ho"),
          Map.entry("ge", "ko"),
          Map.entry("ke", "ko"),
          Map.entry("er", "erh"),
          Map.entry("yong", "yung"));

  /** Pairs of a character, in its simplified form, and its readings as a family name. */
  private static final String FAMILY_NAMES =
      """
      陈 chan tan chin jin|黄 wong ng hwang ooi|李 lee lei ri yi|张 cheung teo jang chang|王 wong ong wang|吴 ng goh o oh
      刘 lau low ryu yu|林 lam lim rim im|郑 cheng tay jong chong jung chung|梁 leung neo ryang yang|何 ho ha|罗 law lo ra na|叶 yip yap yeh
      周 chow chau chew ju|杨 yeung yeo yang|谢 tse chia|许 hui koh ho heo hur|曾 tsang chan|蔡 choi tsoi chua chae|邓 tang|徐 tsui so seo
      郭 kwok quek kwak|马 ma mah|朱 chu choo ju|胡 wu woo|高 ko kou go|余 yu yee|潘 poon pan|冯 fung|谭 tam|卢 lo loo ro no|袁 yuen
      赵 chiu chao jo cho|钟 chung|萧 siu|苏 so soh|方 fong bang|石 shek sok|江 kong kang|杜 to|汪 wong|关 kwan|莫 mok mak|廖 liu liew
      金 kim gim|朴 pak park bak|崔 choe choi|姜 kang|尹 yun yoon|韩 han hon|申 sin shin|权 kwon|安 an ahn|宋 song|柳 ryu yu yoo|洪 hong ang hung
      全 jon chon|文 mun moon|孙 son suen|裴 pae bae|白 paek baek pak|南 nam|沈 sim shum|河 ha|成 song|车 cha|禹 u woo|具 ku koo|玄 hyon hyun
      """;

  private static final Map<Integer, List<String>> READINGS = readings();

  private Han() {}

  private static Map<Integer, List<String>> readings() {
    Map<Integer, List<String>> readings = new HashMap<>();
    for (String row : FAMILY_NAMES.strip().split("[|\\n]", 0)) {
      String[] parts = row.strip().split(" ", 0);
      readings.put(parts[0].codePointAt(0), List.of(parts).subList(1, parts.length));
    }
    return Map.copyOf(readings);
  }

  /**
   * All spellings of a character.
   *
   * @param simplified the character in its simplified form
   */
  static List<String> spellings(int simplified, String pinyin) {
    List<String> spellings = new ArrayList<>();
    spellings.add(pinyin);
    String wadeGiles = wadeGiles(pinyin);
    if (!wadeGiles.equals(pinyin)) {
      spellings.add(wadeGiles);
    }
    if (pinyin.startsWith("lu") || pinyin.startsWith("nu")) {
      // ü in passports
      spellings.add(pinyin.charAt(0) + "yu" + pinyin.substring(2));
    }
    spellings.addAll(READINGS.getOrDefault(simplified, List.of()));
    return spellings;
  }

  static String wadeGiles(String pinyin) {
    String whole = WADE_GILES_WHOLE.get(pinyin);
    if (whole != null) {
      return whole;
    }
    String initial = "";
    String rest = pinyin;
    for (String[] pair : WADE_GILES_INITIALS) {
      if (pinyin.startsWith(pair[0]) && !(pair[0].equals("c") && pinyin.startsWith("ch"))) {
        initial = pair[1];
        rest = pinyin.substring(pair[0].length());
        break;
      }
    }
    if (initial.isEmpty()) {
      int vowel = 0;
      while (vowel < pinyin.length() && "aeiouy".indexOf(pinyin.charAt(vowel)) < 0) {
        vowel++;
      }
      initial = pinyin.substring(0, vowel);
      rest = pinyin.substring(vowel);
    }
    return initial
        + switch (rest) {
          case "ong" -> "ung";
          case "ian" -> "ien";
          case "ie" -> "ieh";
          case "ue" -> "ueh";
          case "uo" ->
              initial.equals("k") || initial.equals("h") || initial.equals("sh") ? "uo" : "o";
          case "ui" -> initial.equals("k") ? "uei" : "ui";
          case "iong" -> "iung";
          default -> rest;
        };
  }
}
