package io.solidus.operator.sanctions.screening;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * First and family names that many people of a culture have, as its statistics of names show them.
 * Combined at random they name nobody in particular.
 */
enum CommonNames {
  ARABIC(
      "Mohammed Ahmed Ali Hassan Hussein Omar Khaled Mahmoud Mustafa Ibrahim Youssef Abdullah Abdulrahman Saleh Samir Tariq"
          + " Walid Ziad Karim Faisal Nasser Hamza Bilal Rashid Sami Adel Fadi Nabil Jamal Amir Fatima Aisha Maryam Zainab"
          + " Khadija Layla Noor Huda Salma Amina Rania Samira Nadia Yasmin Hanan",
      "Ahmed Ali Hassan Hussein Mohammed Mahmoud Ibrahim Abdullah Khalil Saleh Al-Masri Al-Najjar Al-Khatib Al-Haddad Al-Shami"
          + " Mansour Nasser Haddad Khoury Hamdan Awad Salem Saeed Yousef Omar Othman Ismail Suleiman Hamad Al-Hashimi Al-Otaibi"
          + " Al-Ghamdi Al-Qahtani Al-Zahrani Al-Harbi Barakat Darwish Farouk Ghanem Jaber Kamal Qasim Rahman Shaheen Taha Zidan"),
  HISPANIC(
      "Jose Juan Luis Carlos Jorge Miguel Francisco Antonio Manuel Pedro Jesus Alejandro Rafael Fernando Roberto Ricardo Eduardo"
          + " Javier Sergio Daniel Mario Andres Diego Pablo Victor Maria Ana Carmen Rosa Guadalupe Juana Margarita Patricia Laura"
          + " Martha Gabriela Elena Lucia Sofia Isabel",
      "Garcia Rodriguez Martinez Hernandez Lopez Gonzalez Perez Sanchez Ramirez Torres Flores Rivera Gomez Diaz Reyes Morales Cruz"
          + " Ortiz Gutierrez Chavez Ramos Ruiz Alvarez Mendoza Vasquez Castillo Jimenez Moreno Romero Herrera Medina Aguilar Vargas"
          + " Castro Guzman Mendez Fernandez Munoz Salazar Soto Delgado Pena Rios Rojas Navarro Silva Suarez Ortega Cardenas Valencia"),
  WEST_EUROPEAN(
      "Thomas Peter Michael Andreas Stefan Martin Daniel Paul Marc Philippe Nicolas Pierre Jean Laurent David James John William"
          + " Robert Richard Jan Pieter Hans Klaus Anna Maria Sophie Julia Laura Sarah Emma Claire Isabelle Catherine Elizabeth Susan"
          + " Margaret Helen Petra Sabine Lars Erik Marco Luca Giulia",
      "Smith Jones Taylor Brown Williams Wilson Johnson Davies Evans Walker Mueller Schmidt Schneider Fischer Weber Meyer Wagner"
          + " Becker Hoffmann Schulz Martin Bernard Dubois Durand Moreau Laurent Simon Michel Lefebvre Leroy Rossi Russo Ferrari Bianchi"
          + " Romano de-Vries Jansen Bakker Visser Smit Peeters Janssens Andersson Johansson Nielsen Hansen Murphy Kelly O'Brien Walsh"),
  PERSIAN(
      "Mohammad Ali Hossein Reza Mehdi Hassan Amir Saeed Hamid Majid Ahmad Mahmoud Masoud Behrouz Dariush Farhad Kamran Kourosh"
          + " Mohsen Morteza Nader Omid Parviz Ramin Sina Fatemeh Zahra Maryam Leila Sara Narges Shirin Parisa Azadeh Mina",
      "Mohammadi Hosseini Ahmadi Rezaei Karimi Hashemi Moradi Jafari Ebrahimi Rahimi Heydari Ghasemi Sadeghi Akbari Mousavi Asadi"
          + " Kazemi Bagheri Amiri Rostami Nazari Sharifi Salehi Najafi Soltani Zare Tehrani Shirazi Esfahani Nouri Ghorbani Mirzaei"),
  KOREAN(
      "Min-jun Seo-jun Ji-hoon Dong-hyun Hyun-woo Sung-min Jun-ho Young-ho Sang-hoon Jae-hyun Kyung-soo Chang-ho Tae-young"
          + " Myung-soo Yong-il Chol-su Kwang-ho Un-gyong Ji-woo Seo-yeon Min-ji Soo-jin Eun-ji Hye-jin Ji-young Mi-kyung Young-hee"
          + " Sang-woo Jin-woo Seung-hyun Yu-jin Hyun-jung Ji-hye Kyung-hee Jong-su Song-ho Nam-chol Hyok Il-su Myong-ho Kum-chol",
      "Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Yoo Hong Jeon Ko Moon Son Yang Bae Baek"),
  CHINESE(
      "Wei Fang Min Jing Lei Qiang Jun Yang Yong Jie Tao Ming Chao Hua Ping Gang Bo Xin Hao Peng Xiuying Guiying Jianguo Jianjun"
          + " Zhiqiang Haiyan Xiaoming Wenjie Yuhan Zihan Yuxuan Haoran Xinyi Mengyao Lihua Shufen",
      "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Song Tang Han Feng Deng"
          + " Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Yu Du Ye Cheng Wei Su Lu Ding Ren Shen"),
  RUSSIAN(
      "Alexander Sergey Vladimir Andrey Alexey Dmitry Mikhail Nikolay Ivan Yuri Igor Oleg Viktor Pavel Maxim Evgeny Konstantin"
          + " Anatoly Roman Denis Elena Olga Natalia Tatiana Irina Svetlana Anna Maria Ekaterina Marina Yulia Lyudmila Galina",
      "Ivanov Smirnov Kuznetsov Popov Vasiliev Petrov Sokolov Mikhailov Novikov Fedorov Morozov Volkov Alekseev Lebedev Semenov"
          + " Egorov Pavlov Kozlov Stepanov Nikolaev Orlov Andreev Makarov Nikitin Zakharov Zaitsev Soloviev Borisov Yakovlev Grigoriev"
          + " Romanov Vorobiev Sergeev Kuzmin Frolov Alexandrov Dmitriev Korolev Gusev Kiselev");

  private final String firstNames;
  private final String familyNames;

  CommonNames(String firstNames, String familyNames) {
    this.firstNames = firstNames;
    this.familyNames = familyNames;
  }

  /** arabic, hispanic, westEuropean, ... */
  String id() {
    String[] words = name().toLowerCase(Locale.ROOT).split("_", 0);
    return words.length == 1
        ? words[0]
        : words[0] + Character.toUpperCase(words[1].charAt(0)) + words[1].substring(1);
  }

  /** Different names; two family names where that is the custom. */
  List<String> names(int count, Random random) {
    List<String> first = List.of(firstNames.split(" ", 0));
    List<String> last = List.of(familyNames.split(" ", 0));
    List<String> names = new ArrayList<>();
    while (names.size() < count) {
      String given = first.get(random.nextInt(first.size()));
      String family = last.get(random.nextInt(last.size()));
      if (this == HISPANIC && random.nextBoolean()) {
        family += " " + last.get(random.nextInt(last.size()));
      }
      String name = given + " " + family;
      if (!given.equals(family) && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }
}
