package io.solidus.retrieval;

import java.io.Closeable;
import java.io.IOException;

/**
 * The records of a table that is not in memory: each filled up with zeros to whole words of eight
 * bytes, little-endian, then records of zeros up to a multiple of four. {@link
 * RetrievalTable#storedBytes} says how long that is.
 */
public interface StoredRecords {
  /** Begins to read at the first record. */
  Reading open() throws IOException;

  /** One way through the records, by one thread. */
  interface Reading extends Closeable {
    /**
     * The next words.
     *
     * @param words gets them, from its beginning
     * @throws IOException also when there are less
     */
    void next(long[] words, int length) throws IOException;
  }
}
