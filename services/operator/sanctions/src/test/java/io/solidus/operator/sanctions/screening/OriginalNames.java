package io.solidus.operator.sanctions.screening;

import java.util.Arrays;
import java.util.List;

/**
 * Invented names as their own script and a Latin list write them. The lists have no originals of
 * these scripts; the Latin side follows the usage of passports and newspapers and not the tables of
 * the matcher.
 */
enum OriginalNames {
  HEBREW(
      """
      אברהם גולדשטיין|GOLDSTEIN, Avraham
      יצחק לוינסון|LEVINSON, Yitzhak
      משה פרידמן|FRIEDMAN, Moshe
      דוד רוזנברג|ROSENBERG, David
      יוסף שפירא|SHAPIRA, Yosef
      שלמה ברקוביץ|BERKOVITZ, Shlomo
      מרדכי וינברג|WEINBERG, Mordechai
      אליהו קפלן|KAPLAN, Eliyahu
      בנימין שטרן|STERN, Binyamin
      יעקב חדד|HADAD, Yaakov
      נתן צוקרמן|ZUCKERMAN, Natan
      שמעון אזולאי|AZOULAY, Shimon
      רחל גרינברג|GREENBERG, Rachel
      מיכאל ויצמן|WEIZMAN, Michael
      """),
  HAN(
      """
      欧阳志豪|OUYANG, Zhihao
      张伟明|ZHANG, Weiming
      李国强|LI, Guoqiang
      王建华|WANG, Jian Hua
      陈小龙|CHEN, Xiaolong
      劉德海|LIU, Dehai
      赵文斌|ZHAO, Wenbin
      黃永祥|HUANG, Yung-hsiang
      周学军|CHOU, Hsueh-chun
      吴天宝|WU, Tianbao
      徐志平|HSU, Chih-ping
      孙丽娜|SUN, Lina
      郭春林|GUO, Chunlin
      何明辉|HO, Ming-hui
      """),
  HANGUL(
      """
      김성철|KIM, Song Chol
      박영남|PAK, Yong Nam
      리광호|RI, Kwang-Ho
      이정식|LEE, Jung-sik
      최명길|CHOE, Myong Gil
      정혁철|JONG, Hyok Chol
      조은경|JO, Un Kyong
      한석진|HAN, Sok Jin
      윤창혁|YUN, Chang Hyok
      장태복|JANG, Thae Bok
      김현우|KIM, Hyun-woo
      박지훈|PARK, Jihoon
      신동일|SIN, Tong Il
      오철수|O, Chol Su
      """),
  INDIC(
      """
      राजेश शर्मा|SHARMA, Rajesh
      सुरेश चौहान|CHAUHAN, Suresh
      दिलीप ठाकुर|THAKUR, Dilip
      मोहम्मद इक़बाल|IQBAL, Mohammad
      विक्रम राठौड़|RATHORE, Vikram
      अब्दुल करीम|KARIM, Abdul
      नरेन्द्र यादव|YADAV, Narendra
      রহিম উদ্দিন চৌধুরী|CHOWDHURY, Rahim Uddin
      মোহাম্মদ শফিক|SHAFIQ, Mohammad
      সুব্রত ঘোষ|GHOSH, Subrata
      முருகன் செல்வராஜ்|SELVARAJ, Murugan
      குமரன் பாலசிங்கம்|BALASINGHAM, Kumaran
      ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ|SINGH, Gurpreet
      જયેશ પટેલ|PATEL, Jayesh
      వెంకట్ రెడ్డి|REDDY, Venkat
      """),
  OTHERS(
      """
      ჰუსეინ კარმანი|KARMANI, Hussein
      გიორგი ბერიძე|BERIDZE, Giorgi
      Գևորգ Զալմանյան|ZALMANYAN, Gevorg
      Арман Сагинтаев|SAGINTAYEV, Arman
      สมชาย วงศ์สวัสดิ์|WONGSAWAT, Somchai
      ኃይለ ገብርኤል|GABRIEL, Haile
      """);

  /** An original and what a list writes. */
  record Pair(String original, String latin) {}

  private final String lines;

  OriginalNames(String lines) {
    this.lines = lines;
  }

  List<Pair> pairs() {
    return Arrays.stream(lines.strip().split("\n", 0))
        .map(line -> line.strip().split("\\|", 0))
        .map(parts -> new Pair(parts[0], parts[1]))
        .toList();
  }
}
