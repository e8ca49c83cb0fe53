package io.solidus.wallet.mailbox;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.NoteKey;

/**
 * The keys of one authority's replica of the mailbox.
 *
 * @param authority 1 to N
 * @param shares that shares of queries are sealed to
 * @param lists that signs lists of tables
 */
public record ReplicaKey(int authority, EncryptionKey shares, NoteKey lists) {}
