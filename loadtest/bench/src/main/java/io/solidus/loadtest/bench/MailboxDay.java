package io.solidus.loadtest.bench;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Signature;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A day of a mailbox: who gets how many messages, and all messages of one bucket. */
final class MailboxDay {
  private final int[] walletsOfBucket;
  private final int[] messagesOfBucket;
  private final int mostOfOneWallet;

  /**
   * Distributes a day's messages over wallets and their buckets, each with equal chance.
   *
   * @param buckets a power of two
   */
  MailboxDay(int wallets, int messages, int buckets, Random random) {
    this.walletsOfBucket = new int[buckets];
    this.messagesOfBucket = new int[buckets];
    int[] bucketOf = new int[wallets];
    for (int wallet = 0; wallet < wallets; wallet++) {
      bucketOf[wallet] = random.nextInt(buckets);
      walletsOfBucket[bucketOf[wallet]]++;
    }
    int[] messagesOf = new int[wallets];
    for (int i = 0; i < messages; i++) {
      int wallet = random.nextInt(wallets);
      messagesOf[wallet]++;
      messagesOfBucket[bucketOf[wallet]]++;
    }
    this.mostOfOneWallet = Arrays.stream(messagesOf).max().orElse(0);
  }

  int mostMessages() {
    return Arrays.stream(messagesOfBucket).max().orElse(0);
  }

  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("fewestWalletsOfABucket", Arrays.stream(walletsOfBucket).min().orElse(0));
    report.put("fewestMessagesOfABucket", Arrays.stream(messagesOfBucket).min().orElse(0));
    report.put("mostMessagesOfABucket", mostMessages());
    report.put("mostMessagesOfAWallet", mostOfOneWallet);
    return report;
  }

  /**
   * A wallet and the messages of its bucket, of which some are its own.
   *
   * @param own the places of the wallet's messages, ascending
   */
  record Bucket(
      ParcelCipher cipher, HpkePrivateKey wallet, List<byte[]> messages, List<Integer> own) {

    /** Seals so many messages, of which {@code own} are for the wallet. */
    static Bucket of(int messages, int own, Random random) {
      SecureRandom secure = new SecureRandom();
      ParcelCipher cipher = new ParcelCipher(new NetworkId("solidus-bench"));
      HpkePrivateKey wallet = HpkePrivateKey.generate(secure);
      List<Integer> places =
          random.ints(0, messages).distinct().limit(own).sorted().boxed().toList();
      List<byte[]> blobs = new ArrayList<>(messages);
      try (HpkePrivateKey others = HpkePrivateKey.generate(secure)) {
        for (int i = 0; i < messages; i++) {
          HpkePrivateKey payee = places.contains(i) ? wallet : others;
          blobs.add(cipher.seal(payee.publicKey(), PARCEL));
        }
      }
      return new Bucket(cipher, wallet, blobs, places);
    }

    /** The parcel in a message of the wallet's own. */
    boolean opens(byte[] message) {
      return cipher.open(wallet, message).filter(PARCEL::equals).isPresent();
    }

    boolean detects(byte[] message) {
      return cipher.detects(wallet, Arrays.copyOf(message, ParcelCipher.HEADER_BYTES));
    }
  }

  private static final Parcel PARCEL =
      new Parcel.Registered(new Signature(coordinates(1), coordinates(2)));

  /** Two small coordinates: the codec asks for no point of the curve. */
  private static G1Point coordinates(int seed) {
    byte[] bytes = new byte[G1Point.BYTES];
    bytes[G1Point.BYTES / 2 - 1] = (byte) seed;
    bytes[G1Point.BYTES - 1] = (byte) seed;
    return new G1Point(bytes);
  }
}
