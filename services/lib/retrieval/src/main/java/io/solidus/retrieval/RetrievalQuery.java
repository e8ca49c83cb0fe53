package io.solidus.retrieval;

import io.solidus.protocol.ProtocolException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * A query for one record, split into a share for each server. The shares' bits add up to the one
 * bit of the record. All shares but one are seeds; which server gets the long one is random. Any
 * shares short of all are random bits, for whoever cannot tell AES-256 in counter mode from random
 * bits.
 *
 * @param shares one for each server, in the servers' order; each must reach its server sealed,
 *     because all of them together name the record
 */
public record RetrievalQuery(List<QueryShare> shares) {
  /** The most servers that one query is split among. */
  public static final int MAX_SERVERS = 128;

  public RetrievalQuery {
    shares = List.copyOf(shares);
  }

  /**
   * A fresh query. Two queries for one record have nothing in common.
   *
   * @param index the record's, from 0
   * @param records of the table
   * @param servers one more than may work together against the reader; 2 at least
   */
  public static RetrievalQuery of(int index, int records, int servers, SecureRandom random) {
    if (index < 0 || index >= records) {
      throw new IllegalArgumentException("the table has no record " + index);
    }
    if (servers < 2 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException("a query is for 2 to " + MAX_SERVERS + " servers");
    }
    byte[] rest = new byte[QueryShare.bytesFor(records)];
    rest[index / 8] = (byte) (1 << (index % 8));
    List<QueryShare> shares = new ArrayList<>(servers);
    for (int i = 1; i < servers; i++) {
      byte[] seed = new byte[QueryShare.SEED_BYTES];
      random.nextBytes(seed);
      QueryShare share = QueryShare.ofSeed(seed);
      add(rest, share.bits(records));
      shares.add(share);
    }
    shares.add(random.nextInt(servers), QueryShare.ofBits(rest));
    return new RetrievalQuery(shares);
  }

  /**
   * The record, from the answers of all servers to the shares of one query. A wrong answer gives
   * other bytes, so the record must be one that its reader can authenticate.
   *
   * @throws ProtocolException malformed-request when there is not one answer for each share, or one
   *     has another length than a record
   */
  public byte[] combine(List<byte[]> answers, int recordBytes) {
    if (answers.size() != shares.size()) {
      throw ProtocolException.malformed("a query needs the answers of all of its servers");
    }
    byte[] record = new byte[recordBytes];
    for (byte[] answer : answers) {
      if (answer.length != recordBytes) {
        throw ProtocolException.malformed("an answer has " + recordBytes + " bytes");
      }
      add(record, answer);
    }
    return record;
  }

  private static void add(byte[] sum, byte[] summand) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= summand[i];
    }
  }
}
