package io.solidus.retrieval;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.List;

/**
 * The Merkle tree of a table's records with SHA-256 (RFC 6962, section 2.1). Its root fixes a table
 * that several servers hold; a path shows that a record is in it.
 */
public final class TableTree {
  private static final byte[] LEAF = {0};
  private static final byte[] NODE = {1};

  private TableTree() {}

  /**
   * The root of records in their order.
   *
   * @throws ProtocolException malformed-request when there is none
   */
  public static Digest32 root(List<byte[]> records) {
    if (records.isEmpty()) {
      throw ProtocolException.malformed("a table has records");
    }
    if (records.size() == 1) {
      return leaf(records.getFirst());
    }
    int split = split(records.size());
    return node(root(records.subList(0, split)), root(records.subList(split, records.size())));
  }

  /**
   * The path of the record with this index: the roots beside it, from the record's level upwards.
   */
  public static List<Digest32> path(List<byte[]> records, int index) {
    if (index < 0 || index >= records.size()) {
      throw new IllegalArgumentException("the table has no record " + index);
    }
    List<Digest32> path = new ArrayList<>();
    collect(records, index, path);
    return path;
  }

  private static void collect(List<byte[]> records, int index, List<Digest32> path) {
    if (records.size() == 1) {
      return;
    }
    int split = split(records.size());
    List<byte[]> left = records.subList(0, split);
    List<byte[]> right = records.subList(split, records.size());
    if (index < split) {
      collect(left, index, path);
      path.add(root(right));
    } else {
      collect(right, index - split, path);
      path.add(root(left));
    }
  }

  /**
   * Whether a table of so many records with this root has this record at this index.
   *
   * @param path of any content and length, as a server sent it
   */
  public static boolean verifies(
      Digest32 root, int records, int index, byte[] record, List<Digest32> path) {
    return index >= 0
        && index < records
        && path.size() == depth(records, index)
        && root.equals(climb(records, index, leaf(record), path));
  }

  /** The root above a record, if the path has the length of its place. */
  private static Digest32 climb(int records, int index, Digest32 leaf, List<Digest32> path) {
    if (records == 1) {
      return leaf;
    }
    int split = split(records);
    Digest32 beside = path.getLast();
    List<Digest32> below = path.subList(0, path.size() - 1);
    return index < split
        ? node(climb(split, index, leaf, below), beside)
        : node(beside, climb(records - split, index - split, leaf, below));
  }

  private static int depth(int records, int index) {
    if (records == 1) {
      return 0;
    }
    int split = split(records);
    return 1 + (index < split ? depth(split, index) : depth(records - split, index - split));
  }

  /** The largest power of two below the number of records. */
  private static int split(int records) {
    return Integer.highestOneBit(records - 1);
  }

  private static Digest32 leaf(byte[] record) {
    return Digest32.sha256(LEAF, record);
  }

  private static Digest32 node(Digest32 left, Digest32 right) {
    return Digest32.sha256(NODE, left.bytes(), right.bytes());
  }
}
